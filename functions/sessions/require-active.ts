import { Problem } from '../contract/problems.ts';
import type { Practice } from '../domain/practice.ts';

/** For the patient. Authorizing checks the practice's row again, in its transaction. */
export function requireActive({ suspendedAt }: Practice): void {
  if (suspendedAt !== undefined) throw notPayable();
}

export function notPayable(): Problem {
  return new Problem('practice_suspended', 'Contact the practice for another way to pay.');
}
