import { Problem } from '../contract/problems.ts';
import type { Practice } from '../domain/practice.ts';

/** What a practice is told where one of its calls needs payments. */
export const toldToSuspended = 'Payments can be resumed by whoever operates the payment service: ask them.';

/** For the patient. Throws a Problem if the practice is suspended or closed. */
export function requireActive({ suspendedAt, closedAt }: Practice): void {
  if (suspendedAt !== undefined || closedAt !== undefined)
    throw new Problem('practice_suspended', 'Contact the practice for another way to pay.');
}
