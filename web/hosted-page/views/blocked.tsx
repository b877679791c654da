import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../texts.ts';
import type { ViewProps } from '../view-of.ts';

/** Another session pays, or has paid, the same invoice. */
export function Blocked({ page: { session } }: ViewProps) {
  if (!session.blockedBy) return null;
  const { heading, next } = texts.blocked[session.blockedBy];
  return (
    <Outcome tone={session.blockedBy === 'invoice_already_paid' ? 'good' : 'waiting'} heading={heading}>
      <p>{next}</p>
    </Outcome>
  );
}
