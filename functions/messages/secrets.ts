import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsClient } from '../aws-client.ts';
import { Fault } from '../domain/fault.ts';

export type ReadSecret = (options?: { readonly again: true }) => Promise<string>;

/** Reads the secret once per execution environment, and again on request or after a failure. */
export function secretReader(secretId: string, client = new SecretsManagerClient(awsClient)): ReadSecret {
  let reading: Promise<string> | undefined;

  async function read(): Promise<string> {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (!SecretString) throw new Fault(`the secret ${secretId} has no text`);
      return SecretString;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  }

  return (options) => {
    if (options?.again) reading = undefined;
    return (reading ??= read());
  };
}
