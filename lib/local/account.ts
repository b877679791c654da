/** The account and region of all local resources. fauxqs fixes the account; its ARNs must agree with ours. */
export const accountId = '000000000000';
export const region = 'us-east-1';

/** Signs requests to local servers, which check no signature. Never a real key. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${region}:${accountId}:${resource}`;
}

/** The last part of an ARN: the name of a queue, function or bus. */
export function nameInArn(value: string): string {
  return value.split(/[:/]/).at(-1) ?? '';
}
