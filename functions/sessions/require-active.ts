import { Problem } from '../contract/problem.ts';
import type { Practice } from '../domain/practices/practice.ts';

/** For a practice whose request needs payments. */
export const askToResumePayments = 'Ask whoever operates the payment service to resume payments.';

/** Throws a Problem for the patient if the practice is suspended or closed. */
export function requireActive({ suspendedAt, closedAt }: Practice): void {
  if (suspendedAt !== undefined || closedAt !== undefined)
    throw new Problem('practice_suspended', 'Contact the practice for another way to pay.');
}
