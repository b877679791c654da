import { useRoute } from 'preact-iso/router';
import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { call } from '../api.ts';
import { Attempts } from '../parts/attempts.tsx';
import { Button } from '../parts/button.tsx';
import { CopyField } from '../parts/copy.tsx';
import { Facts, DeliveryStatus, practiceOfDelivery, Time, ZoneNote, TechnicalDetails } from '../parts/facts.tsx';
import { Notice, ProblemNotice, announce } from '../parts/notice.tsx';
import { Panel, Screen, Loaded } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer, useAction } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { isDueWithin } from '../attempt-words.ts';
import { deliveryTitle } from '../session-words.ts';

export function Delivery() {
  const { practiceId } = usePractice();
  const { eventId = '', endpointId = '' } = useRoute().params;
  const params = { practiceId, eventId, endpointId };
  const answer = useAnswer('getDelivery', { params });
  const endpoints = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  useEvery(2, answer.value !== undefined && isDueWithin(answer.value.delivery, 10), answer.reload);
  const endpoint = endpoints.value?.endpoints.find((each) => each.endpointId === endpointId);
  const isGone = endpoints.value !== undefined && endpoint === undefined;
  const endpointLink = <a href={`/${practiceId}/settings/webhooks/${endpointId}`}>See the endpoint</a>;
  const paymentLink = ({ sessionId, eventPracticeId = practiceId }: DeliveryDetail['delivery']) =>
    sessionId !== undefined && <a href={`/${eventPracticeId}/sessions/${sessionId}`}>See the payment</a>;

  return (
    <Screen title="Delivery" back={{ href: `/${practiceId}/deliveries`, label: 'Deliveries' }}>
      <Loaded of={answer}>
        {(detail) => (
          <>
            <Panel
              title={deliveryTitle(detail.delivery)}
              note={<ZoneNote />}
              actions={!isGone && <Resend detail={detail} resent={() => void answer.reload()} />}
            >
              <Facts
                facts={[
                  ['Status', <DeliveryStatus status={detail.delivery.status} />],
                  ['Endpoint', isGone ? 'Deleted' : endpointLink],
                  ['Practice', practiceOfDelivery(detail.delivery)],
                  ['Payment', paymentLink(detail.delivery)],
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
              <TechnicalDetails>
                <Facts
                  facts={[
                    ['Type', <code>{detail.delivery.eventType}</code>],
                    ['URL', endpoint?.url],
                  ]}
                />
                <CopyField label="Event ID" text={eventId} />
                {detail.delivery.sessionId && <CopyField label="Session ID" text={detail.delivery.sessionId} />}
              </TechnicalDetails>
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
  return status === 'pending' && nextAttemptAt !== undefined && <Time at={nextAttemptAt} as="exact" />;
}

function Resend({ detail: { delivery }, resent }: { readonly detail: DeliveryDetail; readonly resent: () => void }) {
  const { practiceId, role } = usePractice();
  const { busy, problem, run } = useAction('resendDelivery', 'Resend');
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
