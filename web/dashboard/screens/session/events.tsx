import { useState } from 'preact/hooks';
import type { SessionDetail } from '../../../../functions/contract/dashboard-api/get-session.ts';
import { spreadJson } from '../../exact-json.ts';
import { formatCount } from '../../format.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Panel } from '../../parts/screen.tsx';
import { DeliveryStatus } from '../../parts/tag.tsx';
import { Time } from '../../parts/time.tsx';
import { usePractice } from '../../practice.ts';

type Event = SessionDetail['events'][number];

/** What webhooks told the practice's software, and whether it arrived. */
export function Events({ events }: { readonly events: readonly Event[] }) {
  return (
    <Panel title="Events and webhooks">
      {events.length === 0 ? (
        <p class="quiet">None yet. The first event is sent when the patient authorizes the debit.</p>
      ) : (
        <ol class="events">
          {events.map((event) => (
            <EventOfSession key={event.eventId} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function EventOfSession({ event }: { readonly event: Event }) {
  const { eventId, type, createdAt, body, deliveries } = event;
  return (
    <li>
      <h3>{type}</h3>
      <p class="quiet">
        <code>{eventId}</code>, <Time at={createdAt} as="exact" />
      </p>
      {deliveries.length === 0 ? (
        <p class="quiet">No endpoint was subscribed to it.</p>
      ) : (
        <ul class="deliveries">
          {deliveries.map((delivery) => (
            <DeliveryLine key={delivery.endpointId} delivery={delivery} />
          ))}
        </ul>
      )}
      <EventBody body={body} />
    </li>
  );
}

function DeliveryLine({ delivery }: { readonly delivery: Event['deliveries'][number] }) {
  const { practiceId } = usePractice();
  const { eventId, endpointId, status, attempts, nextAttemptAt } = delivery;
  return (
    <li>
      <DeliveryStatus status={status} />
      <p>
        <a href={`/${practiceId}/deliveries/${eventId}/${endpointId}`}>{formatCount(attempts, 'attempt')}</a> to{' '}
        <a href={`/${practiceId}/settings/webhooks/${endpointId}`}>
          <code>{endpointId}</code>
        </a>
        {status === 'pending' && nextAttemptAt !== undefined && Date.parse(nextAttemptAt) > Date.now() && (
          <>
            , next <Time at={nextAttemptAt} as="distance" />
          </>
        )}
      </p>
    </li>
  );
}

function EventBody({ body }: { readonly body: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Body of the webhook</summary>
      {open && (
        <div class="body">
          <pre tabIndex={0} role="group" aria-label="Body of the webhook">
            {spreadJson(body)}
          </pre>
          <div class="actions">
            <CopyButton text={body} label="Copy the body, byte for byte" />
            <span class="quiet">Copies the bytes as they were signed.</span>
          </div>
        </div>
      )}
    </details>
  );
}
