import type { SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { spreadJson, formatCount } from '../../format.ts';
import { Attempts } from '../../parts/attempts.tsx';
import { CopyButton, CopyField } from '../../parts/copy.tsx';
import { DeliveryStatus, Time, Facts, Unfolds, TechnicalDetails } from '../../parts/facts.tsx';
import { Panel, Loaded } from '../../parts/screen.tsx';
import { allows, usePractice } from '../../practice.ts';
import { useAnswer } from '../../use-answer.ts';
import { useEvery } from '../../use-every.ts';

type Event = SessionDetail['events'][number];

/** What webhooks reported to the practice's software, and whether they arrived. */
function Events({ events }: { readonly events: readonly Event[] }) {
  const { practiceId } = usePractice();
  const { value } = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const endpoints = value?.endpoints ?? [];
  /** Returns the ID of a deleted endpoint, which has no URL. */
  const urlOf = (id: string) => endpoints.find(({ endpointId }) => endpointId === id)?.url ?? id;
  return (
    <>
      <h3>Events and webhooks</h3>
      {events.length === 0 ? (
        <p class="quiet">None yet. The first event is sent when the patient authorizes the debit.</p>
      ) : (
        <ol class="events">
          {events.map((event) => (
            <EventOfSession key={event.eventId} event={event} urlOf={urlOf} />
          ))}
        </ol>
      )}
    </>
  );
}

function EventOfSession({ event, urlOf }: { readonly event: Event; readonly urlOf: (endpointId: string) => string }) {
  const { eventId, type, createdAt, body, isSending, deliveries } = event;
  return (
    <li>
      <h4>{type}</h4>
      <p class="quiet">
        <code>{eventId}</code>, <Time at={createdAt} as="exact" />
      </p>
      {deliveries.length === 0 ? (
        <p class="quiet">{isSending ? 'Being sent…' : 'No endpoint was subscribed to it.'}</p>
      ) : (
        <ul class="deliveries">
          {deliveries.map((delivery) => (
            <li key={delivery.endpointId}>
              <DeliveryOfEvent delivery={delivery} url={urlOf(delivery.endpointId)} />
            </li>
          ))}
        </ul>
      )}
      <EventBody body={body} />
    </li>
  );
}

interface DeliveryOfEventProps {
  readonly delivery: Event['deliveries'][number];
  readonly url: string;
}

function DeliveryOfEvent({ delivery, url }: DeliveryOfEventProps) {
  const { status, attempts, nextAttemptAt } = delivery;
  const summary = (
    <>
      <DeliveryStatus status={status} /> {formatCount(attempts, 'attempt')} to {url}
      {status === 'pending' && nextAttemptAt !== undefined && Date.parse(nextAttemptAt) > Date.now() && (
        <>
          , next <Time at={nextAttemptAt} as="distance" />
        </>
      )}
    </>
  );
  return (
    <Unfolds summary={summary}>
      <AttemptsOf delivery={delivery} />
    </Unfolds>
  );
}

function AttemptsOf({ delivery: { eventId, endpointId, status } }: Pick<DeliveryOfEventProps, 'delivery'>) {
  const { practiceId, role } = usePractice();
  const answer = useAnswer('getDelivery', { params: { practiceId, eventId, endpointId } });
  useEvery(3, status === 'pending', answer.reload);
  return (
    <div class="body">
      <Loaded of={answer}>{(detail) => <Attempts of={detail} />}</Loaded>
      <p>
        <a href={`/${practiceId}/deliveries/${eventId}/${endpointId}`}>
          {allows(role, 'staff') ? 'Open this delivery to resend it' : 'Open this delivery'}
        </a>
      </p>
    </div>
  );
}

function EventBody({ body }: { readonly body: string }) {
  return (
    <Unfolds summary="Body of the webhook">
      <div class="body">
        <pre tabIndex={0} role="group" aria-label="Body of the webhook">
          {spreadJson(body)}
        </pre>
        <div class="actions">
          <CopyButton text={body} label="Copy the body, byte for byte" />
          <span class="quiet">Copies the bytes as they were signed.</span>
        </div>
      </div>
    </Unfolds>
  );
}

/** Folded away: staff need none of it to collect a payment. */
export function ForDevelopers({ detail: { session, events } }: { readonly detail: SessionDetail }) {
  const metadata = Object.entries(session.metadata);
  return (
    <Panel title="For developers and support">
      <TechnicalDetails>
        <CopyField label="Session ID" text={session.sessionId} />
        {metadata.length > 0 && (
          <>
            <h3>Metadata</h3>
            <Facts facts={metadata} />
          </>
        )}
        <Events events={events} />
      </TechnicalDetails>
    </Panel>
  );
}
