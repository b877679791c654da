import { Unavailable } from './domain/unavailable.ts';

const throttling = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);

const silence = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** AWS refused the call for now, and did nothing. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttling.has(error.name);
}

/** Nobody knows whether AWS did what it was asked. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || silence.has(codeOf(error)) || statusOf(error) >= 500;
}

/** The same call may work in a moment. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof Unavailable || isThrottled(error) || isUnanswered(error)) return true;
  return error instanceof Error && error.name === 'TransactionConflictException';
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

function statusOf(error: Error): number {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  return metadata instanceof Object && 'httpStatusCode' in metadata ? Number(metadata.httpStatusCode) : 0;
}
