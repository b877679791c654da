import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import {
  originSecretHeader,
  originSecretSeparator,
  type StageVariables,
} from '../../functions/contract/origin-secret.ts';

/** Throws for anything but a whole number of at least 1. */
export function originSecretNumberOf(setting: string | undefined): number {
  if (setting === undefined) return 1;
  if (!/^[1-9]\d{0,5}$/.test(setting))
    throw new Error(
      '-c originSecret must be a whole number from 1, one more than at the last deploy to change the secret.',
    );
  return Number(setting);
}

/** The secrets are numbered, because CloudFormation rereads a secret only if the template changes. */
export class OriginSecret extends Construct {
  readonly headers: Readonly<Record<string, string>>;
  /** Variables for the stage of the distributions' API. CloudFormation allows 60 dynamic references, too few for one per function. */
  readonly stageVariables: { readonly [Name in keyof StageVariables]-?: string };

  constructor(scope: Construct, id: string, number: number) {
    super(scope, id);
    const current = this.secret(number);
    // A deploy updates the distributions before the stage, so functions accept the next secret in advance.
    const next = this.secret(number + 1);
    this.headers = { [originSecretHeader]: current };
    this.stageVariables = { originSecrets: [current, next].join(originSecretSeparator) };
  }

  private secret(number: number): string {
    const secret = new Secret(this, String(number), {
      description: `The distributions of the pages send it to the API (number ${number})`,
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'A deploy rotates it, in an order that rejects no request: see the docs.',
    });
    return secret.secretValue.unsafeUnwrap();
  }
}
