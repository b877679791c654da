import { Problem } from '../contract/problem.ts';

export function contactRequired(): Problem {
  return new Problem(
    'contact_required',
    'Patients must be able to revoke an authorization: give a support phone number or a support email address.',
  );
}
