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
      // Pasted or piped secrets often end with a line break.
      const secret = SecretString?.trim();
      if (!secret) throw new Fault(`the secret ${secretId} has no text`);
      return secret;
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
