import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { settingVariables } from '../../functions/contract/environment.ts';

const address = /^[\w.+-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** Throws for anything but a plain address. */
export function mailFromOf(from: string | undefined): string | undefined {
  if (from !== undefined && !address.test(from))
    throw new Error('-c mailFrom must be an address that SES may send from, such as payments@example.com.');
  return from;
}

/** Throws for anything but a plain address. */
export function alarmEmailOf(email: string | undefined): string | undefined {
  if (email !== undefined && !address.test(email))
    throw new Error('-c alarmEmail must be an address, such as oncall@example.com.');
  return email;
}

/** In SES, either the address or its domain can be verified. */
export function allowMail(grantee: Function, from: string): void {
  const identity = (resourceName: string) =>
    Stack.of(grantee).formatArn({ service: 'ses', resource: 'identity', resourceName });
  grantee.addEnvironment(settingVariables.mailFrom, from);
  grantee.addToRolePolicy(
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [identity(from), identity(from.split('@')[1] ?? '')],
      conditions: { StringEquals: { 'ses:FromAddress': from } },
    }),
  );
}
