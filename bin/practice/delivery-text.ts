import type { AttemptOutcome } from '../../functions/domain/webhooks/delivery.ts';
import { printable } from './layout.ts';

interface Answer extends AttemptOutcome {
  readonly durationMilliseconds: number;
}

/** `204 in 12 ms`, where a redirect leads, or why there is no answer. */
export function answerText({ statusCode, error, redirectsTo, durationMilliseconds }: Answer): string {
  const redirect = redirectsTo === undefined ? '' : ` to ${printable(redirectsTo)}`;
  const fault = error?.replaceAll('_', ' ') ?? 'no answer';
  const result =
    statusCode === undefined ? fault : `${statusCode}${redirect}${error === undefined ? '' : `, ${fault},`}`;
  return `${result} in ${durationMilliseconds} ms`;
}
