import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';

/** A dash stands for the name that a person with one name does not have. */
export function nameOf(sent: string): string {
  return /^[\s\p{Pd}\u2212]+$/u.test(sent) ? '' : sent;
}

export function fullName({ firstName, lastName }: NonNullable<MemberSession['patient']>): string {
  return `${nameOf(firstName)} ${nameOf(lastName)}`.trim();
}
