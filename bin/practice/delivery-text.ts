import type { AttemptOutcome } from '../../functions/domain/webhooks/delivery.ts';
import { printable } from './layout.ts';

interface Answer extends AttemptOutcome {
  readonly durationMilliseconds: number;
}

/** `204 in 12 ms`, where a redirect leads, or why there is no answer. */
export function answerText({ durationMilliseconds, ...outcome }: Answer): string {
  return `${outcomeText(outcome)} in ${durationMilliseconds} ms`;
}

export function outcomeText({ statusCode, error, redirectsTo }: AttemptOutcome): string {
  const fault = error?.replaceAll('_', ' ');
  if (statusCode === undefined) return fault ?? 'no answer';
  if (redirectsTo !== undefined) return `${statusCode} to ${printable(redirectsTo)}`;
  return fault === undefined ? String(statusCode) : `${statusCode} (${fault})`;
}
