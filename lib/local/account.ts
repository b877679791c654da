/** The account and region of everything local. fauxqs fixes the account; its ARNs must agree with ours. */
export const accountId = '000000000000';
export const region = 'us-east-1';

/** Signs requests to local endpoints, which check no signature. Never a real key: see `endpoints.ts`. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${region}:${accountId}:${resource}`;
}

/** The last part of an ARN: a queue's, function's or bus's own name. */
export function nameInArn(value: string): string {
  return value.split(/[:/]/).at(-1) ?? '';
}
