import { useLayoutEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Alerts } from '../../../functions/contract/team/dashboard-home.ts';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Screen, Loaded, Loading, Panel } from '../parts/screen.tsx';
import { allows, isOwnAdmin, ownAdmins, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Checklist, isSetUp, type Done } from './home/checklist.tsx';
import { PaymentsOfMonth } from './home/payments-of-month.tsx';
import { Notice } from '../parts/notice.tsx';
import { formatDollars } from '../format.ts';
import { adviceOf } from '../advice.ts';
import { eventWords, fullName, reasonWords } from '../session-words.ts';
import { CopyField } from '../parts/copy.tsx';
import { Tag, Time, TechnicalDetails } from '../parts/facts.tsx';

export function Home() {
  const { practiceId, role, mode } = usePractice();
  const home = useAnswer('getHome', { params: { practiceId } });
  const alerts = useAnswer('getAlerts', { params: { practiceId } });
  const done = home.loaded.state === 'ready' ? home.loaded.value.checklist : undefined;
  // Polled, because steps are done elsewhere, such as on a patient's phone.
  useEvery(5, done?.paidSession === false, home.reload);
  return (
    <Screen
      title="Home"
      actions={
        allows(role, 'staff') &&
        done?.paidSession && (
          <ButtonLink kind="primary" href={`/${practiceId}/sessions/new`}>
            New payment link
          </ButtonLink>
        )
      }
    >
      {/* Shown together: a late part would push the rest down. */}
      {alerts.loaded.state === 'loading' ? (
        <Loading />
      ) : (
        <Loaded of={home}>
          {(value) => (
            <>
              <SetupComplete key={practiceId} done={value.checklist} />
              {!value.checklist.paidSession && <Checklist done={value.checklist} />}
              <Loaded of={alerts}>{(found) => <Attention alerts={found} />}</Loaded>
              {value.checklist.paidSession && <PaymentsOfMonth home={value} />}
              {value.checklist.paidSession && !isSetUp(value.checklist, mode) && <Checklist done={value.checklist} />}
            </>
          )}
        </Loaded>
      )}
    </Screen>
  );
}

/** Shown once, in a browser that showed open steps before. */
function SetupComplete({ done }: { readonly done: Done }) {
  const { practiceId, mode } = usePractice();
  const name = `setting up ${practiceId}`;
  const complete = isSetUp(done, mode);
  const [isNews, setNews] = useState(false);
  useLayoutEffect(() => {
    if (!complete) localStorage.setItem(name, 'yes');
    else if (localStorage.getItem(name) !== null) {
      localStorage.removeItem(name);
      setNews(true);
    }
  }, [complete, name]);
  if (!isNews) return null;
  return (
    <Notice kind="good" title="Setup is complete">
      <p>Every step is done. From now on, this page shows your payments.</p>
    </Notice>
  );
}

function Attention({ alerts }: { readonly alerts: Alerts }) {
  const { endpoints, returned, refundFailed, failed, linkRequests } = alerts;
  const sessions = [
    ...returned.map((of) => ({ of, at: of.return?.returnedAt, tag: <Tag tone="bad">Returned</Tag> })),
    ...refundFailed.map((of) => ({ of, at: of.refund?.refundedAt, tag: <Tag tone="bad">Refund failed</Tag> })),
    ...failed.map((of) => ({ of, at: of.failedAt, tag: <Tag tone="bad">Failed</Tag> })),
    ...linkRequests.map((of) => ({ of, at: of.linkRequestedAt, tag: <Tag tone="warning">Expired</Tag> })),
  ];
  if (sessions.length + endpoints.length === 0) return null;
  return (
    <div id="attention">
      <Panel title="Needs attention" note="Last 30 days">
        <ul class="attention">
          {sessions.map((session, index) => (
            <SessionAlert key={`${index} ${session.of.sessionId}`} {...session} />
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
  const practice = usePractice();
  const { practiceId } = practice;
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
            ? isOwnAdmin(practice)
              ? 'Once the cause is fixed, enable it and replay what it missed.'
              : `Only ${ownAdmins(practice)} can enable it again, once the cause is fixed.`
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
  readonly of: MemberSession;
  readonly at: string | undefined;
  readonly tag: ComponentChildren;
}

function SessionAlert({ of: session, at, tag }: SessionAlertProps) {
  const practice = usePractice();
  const { practiceId } = practice;
  const code = session.return?.code ?? session.failure?.code;
  return (
    <li>
      {tag}
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
        <p>{adviceOf(session, practice)}</p>
      </div>
    </li>
  );
}
