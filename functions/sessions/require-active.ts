import { Problem } from '../contract/problems.ts';
import type { Practice } from '../domain/practice.ts';

/** What a practice is told where one of its calls needs payments. */
export const toldToSuspended = 'Payments can be resumed by whoever operates the payment service: ask them.';

/** For the patient. Throws a Problem if the practice is suspended. */
export function requireActive({ suspendedAt }: Practice): void {
  if (suspendedAt !== undefined)
    throw new Problem('practice_suspended', 'Contact the practice for another way to pay.');
}
