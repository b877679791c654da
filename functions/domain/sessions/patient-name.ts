import type { Patient, Session } from './session.ts';

/** Sent in place of the name that a person with one name does not have. Word processors type other dashes. */
const noName = /^[\s\p{Pd}\u2212]+$/u;

/** One or two. A name alone comes first. */
export function namesOf({ firstName, lastName }: Patient): string[] {
  return [firstName, lastName].filter((name) => !noName.test(name));
}

export function fullName(patient: Patient): string {
  return namesOf(patient).join(' ');
}

/** The name on the bank account: the patient's, unless someone else pays. */
export function payerOf({ payerName, patient }: Pick<Session, 'payerName' | 'patient'>): string | undefined {
  return payerName ?? (patient && fullName(patient));
}
