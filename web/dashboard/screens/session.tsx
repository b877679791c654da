import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { SessionDetail } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import type { Response } from '../api.ts';
import { formatDay, formatDollars } from '../format.ts';
import { Facts, SessionStatus, Time } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { PaymentLink } from '../parts/payment-link.tsx';
import { PrintButton } from '../parts/button.tsx';
import { Loaded, Panel, Screen } from '../parts/screen.tsx';
import { adviceOf, wasPaidBackTwice } from '../advice.ts';
import {
  fullName,
  creatorWords,
  givenBack,
  isOver,
  isPaid,
  reasonWords,
  receiptNumberOf,
  blockWords,
} from '../session-words.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { backToPayments } from '../use-query.ts';
import { SessionActions } from './session/actions.tsx';
import { ForDevelopers } from './session/events.tsx';
import { OtherLinks } from './session/other-links.tsx';
import { Timeline } from './session/timeline.tsx';

export function SessionScreen() {
  const { practiceId } = usePractice();
  const { sessionId = '' } = useRoute().params;
  const answer = useAnswer('getSession', { params: { practiceId, sessionId } });
  const [link, setLink] = useState<Response<'replaceLink'>>();
  const detail = answer.value;
  useEvery(3, detail !== undefined && isMoving(detail), answer.reload);
  const session = detail?.session;
  return (
    <Screen
      title={session ? `Invoice ${session.invoiceId}` : 'Payment'}
      back={backToPayments(practiceId)}
      actions={
        detail && (
          <>
            <SessionActions detail={detail} changed={() => void answer.reload()} replaced={setLink} />
            {/* A new link has a slip, which would be printed instead. */}
            {link === undefined && <PrintButton />}
          </>
        )
      }
    >
      <Loaded of={answer}>
        {(value) => (
          <>
            <p class="session-sum">
              <strong>{formatDollars(value.session.amountCents)}</strong> <SessionStatus session={value.session} />
            </p>
            {link?.sessionId === sessionId && <NewLink link={link} detail={value} />}
            <div class="columns">
              <div>
                <Outcome detail={value} />
                <Blocked detail={value} />
                <Panel title="Timeline">
                  <Timeline detail={value} />
                </Panel>
              </div>
              <SessionFacts detail={value} />
            </div>
            <div class="off-paper">
              <ForDevelopers detail={value} />
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Whether to poll every few seconds. */
function isMoving({ session, events }: SessionDetail): boolean {
  return (
    !isOver(session) ||
    (session.refund?.pendingCents ?? 0) > 0 ||
    events.some((event) =>
      event.deliveries.length === 0 ? event.isSending : event.deliveries.some(({ status }) => status === 'pending'),
    )
  );
}

/** What happened, and what to do next. */
function Outcome({ detail: { session, blockingSessionId } }: { readonly detail: SessionDetail }) {
  const refusal = session.return ?? session.failure;
  const advice = adviceOf(session);
  if (session.cancellation?.reason === 'expired')
    return (
      <Notice banner kind="info" title="The link has expired">
        <p>
          No money moved.
          {session.openedAt !== undefined && (
            <>
              {' '}
              The patient started to pay on <Time at={session.openedAt} />, but did not finish.
            </>
          )}{' '}
          {advice}
        </p>
      </Notice>
    );
  if (!refusal)
    return session.refund?.status === 'failed' ? (
      <Notice banner kind="warning" title="A refund failed">
        <p>{advice}</p>
      </Notice>
    ) : null;
  return (
    <Notice banner kind="bad" title={session.return ? 'The bank took the money back' : 'The bank did not pay'}>
      <p>
        {reasonWords[refusal.code]}
        {refusal.achReturnCode !== undefined && ` (${refusal.achReturnCode})`}.{' '}
        {session.return ? 'This payment no longer counts.' : 'No money moved.'}
      </p>
      <p>
        {blockingSessionId === undefined || wasPaidBackTwice(session) ? (
          advice
        ) : (
          <>
            There is nothing to do: the invoice is paid, or being paid, through{' '}
            <OtherSession sessionId={blockingSessionId}>another link</OtherSession>.
          </>
        )}
      </p>
    </Notice>
  );
}

interface NewLinkProps {
  readonly link: Response<'replaceLink'>;
  readonly detail: SessionDetail;
}

function NewLink({ link, detail: { session, linkReplacedAt = '' } }: NewLinkProps) {
  const { hostedUrl, expiresAt } = link;
  const { invoiceId, amountCents, patient, status, blockedBy } = session;
  if (linkReplacedAt > link.linkReplacedAt)
    return (
      <Notice banner kind="warning" title="Your new link was replaced by another">
        <p>It no longer works. If you need to send a link, make a new one.</p>
      </Notice>
    );
  return (
    <Panel
      title="The new link"
      note={`${patient === undefined ? '' : `For ${fullName(patient)}. `}The old link no longer works.`}
    >
      <PaymentLink
        hostedUrl={hostedUrl}
        invoiceId={invoiceId}
        amountCents={amountCents}
        patient={patient}
        shows={isPaid(session) ? 'the receipt' : 'the outcome'}
        {...(status === 'pending' && blockedBy === undefined && { expiresAt })}
      />
    </Panel>
  );
}

function SessionFacts({ detail }: { readonly detail: SessionDetail }) {
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

/** Which payout brings the money. A fault of this answer hides nothing else. */
function PayoutOf({ sessionId }: { readonly sessionId: string }) {
  const { practiceId } = usePractice();
  const { loaded } = useAnswer('getPayoutOfSession', { params: { practiceId, sessionId } });
  if (loaded.state !== 'ready') return <>…</>;
  const { payout } = loaded.value;
  if (!payout) return <>Not yet</>;
  return <a href={`/${practiceId}/payouts/${payout.payoutId}`}>{formatDay(payout.arrivesOn)}</a>;
}

/** Why a pending session cannot be paid. */
function Blocked({ detail: { session, blockingSessionId } }: { readonly detail: SessionDetail }) {
  const { blockedBy } = session;
  if (!blockedBy) return null;
  return (
    <Notice banner kind="warning" title={blockWords[blockedBy]}>
      <p>
        {blockedBy === 'bank_connection_locked'
          ? 'The patient failed to sign in at a bank five times. A new link starts over.'
          : 'The patient cannot pay with this link, and its page says so.'}
        {blockingSessionId !== undefined && (
          <>
            {' '}
            <OtherSession sessionId={blockingSessionId}>See the other payment</OtherSession>.
          </>
        )}
      </p>
    </Notice>
  );
}

function OtherSession({ sessionId, children }: { readonly sessionId: string; readonly children: string }) {
  const { practiceId } = usePractice();
  return <a href={`/${practiceId}/sessions/${sessionId}`}>{children}</a>;
}
