import type { MadeAttempt } from '../domain/webhooks/delivery.ts';
import { codeOf } from './attempt-error.ts';

/** As much as other clients read. Node's own limit is 16 KiB. */
export const maximumHeaderSize = 256 * 1024;

/** A status line of RFC 9112, 4, after any interim responses. */
const statusLine =
  /^[\r\n]*(?:HTTP\/\d(?:\.\d)? +1\d\d[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n)*HTTP\/\d(?:\.\d)? +([2-9]\d\d)(?=[ \r\n])/;

/** Whether Node's parser refused what came. Nothing is read after that. */
export function isParseError(error: Error): boolean {
  return codeOf(error).startsWith('HPE_');
}

/**
 * The parser stays strict, because a lenient one guesses where a response ends. Only the status is read here, and the
 * connection is not used again. What is not HTTP is kept, so that the receiver's owner sees who answered.
 */
export function unreadableResponse(
  error: Error,
  start: Buffer,
): Pick<MadeAttempt, 'statusCode' | 'error' | 'responseExcerpt' | 'responseTruncated'> {
  const text = start.toString('utf8');
  const statusCode = statusLine.exec(text)?.[1];
  return {
    error: codeOf(error) === 'HPE_HEADER_OVERFLOW' ? 'response_header_too_large' : 'unreadable_response',
    ...(statusCode === undefined ? { responseExcerpt: text } : { statusCode: Number(statusCode) }),
    responseTruncated: true,
  };
}
