import type { MemberSession, SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDay, formatDollars } from '../../format.ts';
import { Facts, SessionStatus, Time } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';
import { creatorWords, fullName, givenBack, receiptNumberOf } from '../../session-words.ts';
import { useAnswer } from '../../use-answer.ts';

export function SessionFacts({ detail }: { readonly detail: SessionDetail }) {
  const { session, createdBy, bankAccount, bankConnectionAttemptsRemaining, refundReason } = detail;
  const { patient, status, expiresAt } = session;
  const isPending = status === 'pending';
  const { mode } = usePractice();
  return (
    <div>
      <Panel title="Details">
        <Facts
          facts={[
            ['Invoice', session.invoiceId],
            ['Patient', patient && fullName(patient)],
            ['Amount', formatDollars(session.amountCents)],
            ['Reference number', session.processingAt !== undefined && receiptNumberOf(session)],
            ['Refunded', givenBack(session) > 0 && formatDollars(givenBack(session))],
            ['Reason for the refund', refundReason],
            [
              'Payout',
              mode === 'live' && session.settledAt !== undefined && <PayoutOf sessionId={session.sessionId} />,
            ],
            ['Patient’s details removed', session.scrubbedAt && <Time at={session.scrubbedAt} as="time with zone" />],
            ['Created', <Time at={session.createdAt} as="time with zone" />],
            ['Created by', createdBy && creatorWords(createdBy)],
            ['Link works until', isPending ? <Time at={expiresAt} as="time with zone" /> : undefined],
            [
              'Bank account',
              bankAccount && `${bankAccount.bankName}, ${bankAccount.accountType}, ends in ${bankAccount.last4}`,
            ],
            ['Bank sign-ins left', isPending ? bankConnectionAttemptsRemaining : undefined],
          ]}
        />
      </Panel>
      <OtherLinks of={session} />
    </div>
  );
}

/** Which payout delivers the money. If this request fails, everything else stays visible. */
function PayoutOf({ sessionId }: { readonly sessionId: string }) {
  const { practiceId } = usePractice();
  const { loaded } = useAnswer('getPayoutOfSession', { params: { practiceId, sessionId } });
  if (loaded.state !== 'ready') return <>…</>;
  const { payout } = loaded.value;
  if (!payout) return <>Not yet</>;
  const isSentBack = payout.status === 'failed' || payout.status === 'canceled';
  return (
    <a href={`/${practiceId}/payouts/${payout.payoutId}`}>
      {isSentBack ? 'Did not reach your bank' : formatDay(payout.arrivesOn)}
    </a>
  );
}

function OtherLinks({ of: { sessionId, invoiceId } }: { readonly of: MemberSession }) {
  const { practiceId } = usePractice();
  const query = { invoiceId, limit: '20' };
  const { value } = useAnswer('listSessions', { params: { practiceId }, query });
  const others = value?.data.filter((session) => session.sessionId !== sessionId) ?? [];
  if (others.length === 0) return null;
  return (
    <Panel title="Other links of this invoice">
      <ul class="plain-list">
        {others.map((session) => (
          <li key={session.sessionId}>
            <a href={`/${practiceId}/sessions/${session.sessionId}`}>
              Created <Time at={session.createdAt} />
            </a>{' '}
            <SessionStatus session={session} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
