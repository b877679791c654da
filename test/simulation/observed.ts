import type { BankDebit } from './bank.ts';
import type { KnownRefund } from './cast.ts';
import type { Receiver } from './receivers.ts';
import type { Rows } from './tables.ts';

/** A session's row, as far as it matters here. */
export interface SessionRow {
  readonly sessionId: string;
  readonly practiceId: string;
  readonly invoiceId: string;
  readonly status: string;
  readonly sequence: number;
  readonly amountCents: number;
  readonly expiresAt: string;
  readonly settledAt?: string;
  readonly failedAt?: string;
  readonly failure?: object;
  readonly cancelledAt?: string;
  readonly cancellation?: object;
  readonly patient?: object;
  readonly debit?: object;
  readonly refund?: Refund;
  readonly return?: object;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface Refund {
  readonly amountCents: number;
  readonly pendingCents?: number;
  readonly failedCents?: number;
}

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly practiceId: string;
  readonly data: {
    readonly sessionId: string;
    readonly status: string;
    readonly previousStatus: string;
    readonly sequence: number;
    readonly metadata: object;
    readonly refund?: Refund;
  };
}

export interface Observed {
  readonly rows: Rows;
  readonly debits: readonly BankDebit[];
  readonly receivers: readonly Receiver[];
  readonly refunds: readonly KnownRefund[];
  readonly guarded: ReadonlySet<string>;
  /** Sessions whose erasure was confirmed. */
  readonly erased: ReadonlySet<string>;
  readonly archive: ReadonlyMap<string, object> | undefined;
  readonly chargeType: 'direct' | 'destination' | undefined;
}

export function centsOf(debit: BankDebit | undefined, state: string): number {
  return (debit?.refunds ?? []).reduce((sum, refund) => sum + (refund.state === state ? refund.cents : 0), 0);
}

export function sessionsIn({ sessions }: Pick<Rows, 'sessions'>): SessionRow[] {
  return sessions as unknown as SessionRow[];
}

export function eventsOf({ events }: Rows, sessionId: string): Event[] {
  return events
    .filter((row) => row['sessionId'] === sessionId)
    .map((row): Event => JSON.parse(String(row['body'])))
    .toSorted((one, other) => one.data.sequence - other.data.sequence);
}
