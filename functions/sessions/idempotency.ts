import { Problem } from '../contract/problems.ts';

export function idempotencyKeyReused(): Problem {
  return new Problem('idempotency_key_reused', 'Use a new key for a new request.');
}
