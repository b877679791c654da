import { useRoute } from 'preact-iso/router';
import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { call } from '../api.ts';
import { announce } from '../parts/announce.tsx';
import { Attempts } from '../parts/attempts.tsx';
import { Button } from '../parts/button.tsx';
import { Facts, DeliveryStatus, Time, ZoneNote } from '../parts/facts.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer, useAction } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';

export function Delivery() {
  const { practiceId } = usePractice();
  const { eventId = '', endpointId = '' } = useRoute().params;
  const params = { practiceId, eventId, endpointId };
  const answer = useAnswer('getDelivery', { params });
  const endpoints = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const waits = answer.value !== undefined && isDueSoon(answer.value);
  useEvery(2, waits, answer.reload);
  const endpoint = endpoints.value?.endpoints.find((each) => each.endpointId === endpointId);
  const isGone = endpoints.value !== undefined && endpoint === undefined;

  return (
    <Screen title="Delivery" back={{ href: `/${practiceId}/deliveries`, label: 'Deliveries' }}>
      <Loaded of={answer}>
        {(detail) => (
          <>
            <Panel
              title={detail.delivery.eventType}
              note={<ZoneNote />}
              actions={!isGone && <Resend detail={detail} resent={() => void answer.reload()} />}
            >
              <Facts
                facts={[
                  ['Status', <DeliveryStatus status={detail.delivery.status} />],
                  ['Endpoint', isGone ? 'Deleted' : <EndpointLink endpointId={endpointId} url={endpoint?.url} />],
                  ['Session', detail.delivery.sessionId && <SessionLink sessionId={detail.delivery.sessionId} />],
                  ['Event', <code>{eventId}</code>],
                  ['Created', <Time at={detail.delivery.createdAt} />],
                  ['Delivered', detail.delivery.deliveredAt && <Time at={detail.delivery.deliveredAt} />],
                  ['Next attempt', nextAttempt(detail)],
                ]}
              />
              {detail.delivery.status === 'skipped' && !isGone && (
                <Notice kind="info">
                  <p>The endpoint was disabled, so nothing was sent. Enable it and replay what it missed.</p>
                </Notice>
              )}
            </Panel>
            <Panel title="Attempts">
              <Attempts of={detail} />
            </Panel>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function nextAttempt({ delivery: { status, nextAttemptAt } }: DeliveryDetail) {
  return status === 'pending' && nextAttemptAt !== undefined ? <Time at={nextAttemptAt} as="exact" /> : undefined;
}

/** Whether to poll every few seconds. */
function isDueSoon({ delivery: { status, nextAttemptAt } }: DeliveryDetail): boolean {
  return status === 'pending' && (nextAttemptAt === undefined || Date.parse(nextAttemptAt) < Date.now() + 10_000);
}

function EndpointLink({ endpointId, url }: { readonly endpointId: string; readonly url: string | undefined }) {
  const { practiceId } = usePractice();
  return <a href={`/${practiceId}/settings/webhooks/${endpointId}`}>{url ?? endpointId}</a>;
}

function SessionLink({ sessionId }: { readonly sessionId: string }) {
  const { practiceId } = usePractice();
  return <a href={`/${practiceId}/sessions/${sessionId}`}>{sessionId}</a>;
}

function Resend({ detail: { delivery }, resent }: { readonly detail: DeliveryDetail; readonly resent: () => void }) {
  const { practiceId, role } = usePractice();
  const { busy, problem, run } = useAction();
  if (!allows(role, 'staff')) return null;
  const { eventId, endpointId } = delivery;
  const resend = () => call('resendDelivery', { params: { practiceId, eventId, endpointId } });
  const done = () => {
    announce('The event is being sent again.');
    resent();
  };
  return (
    <>
      <Button busy={busy} onClick={() => void run(resend, done)}>
        Resend
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
