import { codeOf, Unavailable } from './domain/fault.ts';

const throttlingErrors = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);

const noAnswerCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** S3 sends the second when it did not receive the whole request. */
const noAnswerNames = new Set(['TimeoutError', 'RequestTimeout']);

/** AWS refused the call for now, and did nothing. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttlingErrors.has(error.name);
}

/** AWS may or may not have carried out the call. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return noAnswerNames.has(error.name) || noAnswerCodes.has(codeOf(error)) || statusOf(error) >= 500;
}

/** The same call may work in a moment. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unavailable || isThrottled(error) || isUnanswered(error)) return true;
  return error instanceof Error && (error.name === 'TransactionConflictException' || isSignedLongAgo(error));
}

/** Happens when Lambda was frozen between signing and sending. The next attempt is signed again. */
function isSignedLongAgo({ name, message }: Error): boolean {
  return name === 'InvalidSignatureException' && message.includes('Signature expired');
}

function statusOf(error: Error): number {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  return metadata instanceof Object && 'httpStatusCode' in metadata ? Number(metadata.httpStatusCode) : 0;
}
