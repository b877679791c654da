/** fauxqs fixes this account number; our ARNs must match its own. */
export const accountId = '000000000000';
export const region = 'us-east-1';

export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** Used for the local user pool, which only loopback can reach. */
export const userPoolClientSecret = 'local-client-secret';

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${region}:${accountId}:${resource}`;
}

/** A function's alias stands for the function. */
export function nameInArn(value: string): string {
  const [, named] = /:function:([^:]+)/.exec(value) ?? [];
  return named ?? value.split(/[:/]/).at(-1) ?? '';
}
