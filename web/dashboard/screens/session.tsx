import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { SessionDetail } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import type { Response } from '../api.ts';
import { formatDollars } from '../format.ts';
import { SessionStatus, Time } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { PaymentLink } from '../parts/payment-link.tsx';
import { PrintButton } from '../parts/button.tsx';
import { Panel, Screen, Loaded } from '../parts/screen.tsx';
import { adviceOf, wasPaidBackTwice } from '../advice.ts';
import { fullName, isOver, isPaid, reasonWords, blockWords } from '../session-words.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { backToPayments } from '../use-query.ts';
import { SessionActions } from './session/actions.tsx';
import { ForDevelopers } from './session/events.tsx';
import { SessionFacts } from './session/facts.tsx';
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
      sum={
        session && (
          <p class="session-sum">
            <strong>{formatDollars(session.amountCents)}</strong> <SessionStatus session={session} />
            {/* Callers are asked for their name first, and on a phone the details are far down. */}
            {session.patient && <span>{fullName(session.patient)}</span>}
          </p>
        )
      }
      actions={
        detail && (
          <>
            <SessionActions detail={detail} changed={() => void answer.reload()} replaced={setLink} />
            {/* A new link has a slip, which would be printed instead. */}
            {link?.sessionId !== sessionId && <PrintButton />}
          </>
        )
      }
    >
      <Loaded of={answer}>
        {(value) => (
          <>
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

function Outcome({ detail: { session, blockingSessionId } }: { readonly detail: SessionDetail }) {
  const refusal = session.return ?? session.failure;
  const advice = adviceOf(session, usePractice());
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
