import { Problem } from '../contract/problem.ts';

export function requireChange(change: object): void {
  if (Object.values(change).every((value) => value === undefined))
    throw new Problem('invalid_request', 'Say what to change.', {
      extra: { errors: [{ pointer: '', code: 'required', detail: 'Give at least one field.' }] },
    });
}
