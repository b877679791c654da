import type { ComponentChildren } from 'preact';
import type { Alerts } from '../../../../functions/contract/team/dashboard-home.ts';
import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { formatDollars } from '../../format.ts';
import { adviceOf } from '../../advice.ts';
import { eventWords, fullName, reasonWords } from '../../session-words.ts';
import { Panel } from '../../parts/screen.tsx';
import { CopyField } from '../../parts/copy.tsx';
import { Tag, Time, TechnicalDetails } from '../../parts/facts.tsx';
import { usePractice } from '../../practice.ts';

/** What needs attention. Renders nothing if all is well. */
export function Attention({
  alerts: { endpoints, returned, refundFailed, failed, linkRequests },
}: {
  readonly alerts: Alerts;
}) {
  if ([endpoints, returned, refundFailed, failed, linkRequests].every(({ length }) => length === 0)) return null;
  return (
    <div id="attention">
      <Panel title="Needs attention" note="Last 30 days">
        <ul class="attention">
          {returned.map((session) => (
            <SessionAlert key={session.sessionId} session={session} at={session.return?.returnedAt}>
              <Tag tone="bad">Returned</Tag>
            </SessionAlert>
          ))}
          {refundFailed.map((session) => (
            <SessionAlert key={session.sessionId} session={session} at={session.refund?.refundedAt}>
              <Tag tone="bad">Refund failed</Tag>
            </SessionAlert>
          ))}
          {failed.map((session) => (
            <SessionAlert key={session.sessionId} session={session} at={session.failedAt}>
              <Tag tone="bad">Failed</Tag>
            </SessionAlert>
          ))}
          {linkRequests.map((session) => (
            <SessionAlert key={session.sessionId} session={session} at={session.linkRequestedAt}>
              <Tag tone="warning">Expired</Tag>
            </SessionAlert>
          ))}
          {endpoints.map((endpoint) => (
            <EndpointAlert key={endpoint.endpointId} endpoint={endpoint} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function EndpointAlert({ endpoint }: { readonly endpoint: EndpointSummary }) {
  const { practiceId } = usePractice();
  const { endpointId, url, status, failingSince, disabledAt, disabledReason } = endpoint;
  const since = status === 'disabled' ? disabledAt : failingSince;
  return (
    <li>
      <Tag tone={status === 'disabled' ? 'bad' : 'warning'}>{status === 'disabled' ? 'Turned off' : 'Failing'}</Tag>
      <div>
        <p>
          <a href={`/${practiceId}/settings/webhooks/${endpointId}`}>Your software does not hear about payments</a>
        </p>
        <p class="quiet">
          {disabledReason === 'gone' ? 'It has asked for no more messages' : 'Our messages to it have failed'}
          {since !== undefined && (
            <>
              {' '}
              since <Time at={since} />
            </>
          )}
          .
        </p>
        <p>
          {status === 'disabled'
            ? 'When its cause is repaired, enable it and replay what it missed.'
            : 'Tell whoever looks after your software: its page says why.'}
        </p>
        <TechnicalDetails>
          <CopyField label="Webhook endpoint" text={url} />
        </TechnicalDetails>
      </div>
    </li>
  );
}

interface SessionAlertProps {
  readonly session: MemberSession;
  readonly at: string | undefined;
  readonly children: ComponentChildren;
}

function SessionAlert({ session, at, children }: SessionAlertProps) {
  const { practiceId } = usePractice();
  const code = session.return?.code ?? session.failure?.code;
  return (
    <li>
      {children}
      <div>
        <p>
          <a href={`/${practiceId}/sessions/${session.sessionId}`}>{session.invoiceId}</a>,{' '}
          {session.patient && `${fullName(session.patient)}, `}
          {formatDollars(session.amountCents)}
        </p>
        <p class="quiet">
          {code === undefined
            ? eventWords[session.refund ? 'session.payment.refund_failed' : 'session.payment.link_requested']
            : reasonWords[code]}
          {at !== undefined && (
            <>
              , <Time at={at} />
            </>
          )}
        </p>
        <p>{adviceOf(session)}</p>
      </div>
    </li>
  );
}
