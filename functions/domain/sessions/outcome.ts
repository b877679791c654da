import { hasRefund } from '../payments/refund.ts';
import type { Session } from './session.ts';
import type { SessionStatus } from './transitions.ts';

type Facts = Pick<Session, 'status' | 'openedAt' | 'return' | 'refund' | 'cancellation'>;

const expired = ({ cancellation }: Facts) => cancellation?.reason === 'expired';
const refunded = ({ refund }: Facts) => hasRefund(refund);

/** What staff look for. An `opened` session is also pending or expired; a session has exactly one of the others. */
const rules = {
  pending: ({ status }) => status === 'pending',
  opened: (session) => session.openedAt !== undefined && (session.status === 'pending' || expired(session)),
  processing: ({ status }) => status === 'processing',
  succeeded: (session) => session.status === 'succeeded' && !session.return && !refunded(session),
  failed: ({ status }) => status === 'failed',
  cancelled: (session) => session.status === 'cancelled' && !expired(session),
  expired,
  returned: (session) => session.return !== undefined,
  refunded: (session) => refunded(session) && !session.return,
} as const satisfies Readonly<Record<string, (session: Facts) => boolean>>;

export type Outcome = keyof typeof rules;

export const outcomes = [
  'pending',
  'opened',
  'processing',
  'succeeded',
  'failed',
  'cancelled',
  'expired',
  'returned',
  'refunded',
] as const satisfies readonly Outcome[];

export function hasOutcome(session: Facts, wanted: readonly Outcome[]): boolean {
  return wanted.some((outcome) => rules[outcome](session));
}

/** The status lists that contain sessions with this outcome. Returns and refunds have lists of their own. */
export const statusesOf: Readonly<Record<Outcome, readonly SessionStatus[]>> = {
  pending: ['pending'],
  opened: ['pending', 'cancelled'],
  processing: ['processing'],
  succeeded: ['succeeded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  expired: ['cancelled'],
  returned: [],
  refunded: [],
};
