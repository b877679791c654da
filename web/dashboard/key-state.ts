import type { KeySummary } from '../../functions/contract/practices/dashboard-keys.ts';

/** `expiring`: within two weeks. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const soon = 14 * 86_400_000;

export function keyStateOf(
  { expiresAt, revokedAt }: Pick<KeySummary, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'active';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < soon ? 'expiring' : 'active';
}
