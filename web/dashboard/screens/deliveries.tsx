import type { DeliverySummary } from '../../../functions/contract/dashboard-api/delivery.ts';
import { call } from '../api.ts';
import { formatCount } from '../format.ts';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable } from '../parts/table.tsx';
import { DeliveryStatus } from '../parts/tag.tsx';
import { Time, ZoneNote } from '../parts/time.tsx';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { usePages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';
import { DeliveryFilters } from './deliveries/filters.tsx';

const filters = ['status', 'endpointId', 'sessionId'] as const;

export function Deliveries() {
  const { practiceId } = usePractice();
  const { query } = useQuery();
  const chosen = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? undefined]));
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  const endpoints = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const known = endpoints.loaded.state === 'ready' ? endpoints.loaded.value.endpoints : [];
  const urls = new Map(known.map(({ endpointId, url }) => [endpointId, url]));
  const pages = usePages(JSON.stringify([practiceId, chosen]), (cursor, signal) =>
    call('listDeliveries', { params: { practiceId }, query: { ...chosen, cursor }, signal }),
  );
  const addressOf = ({ eventId, endpointId }: DeliverySummary) => `/${practiceId}/deliveries/${eventId}/${endpointId}`;

  return (
    <Screen title="Webhook deliveries" lead="Each event is delivered to each endpoint that wants it, newest first.">
      <section class="panel" aria-label="List of deliveries">
        <DeliveryFilters endpoints={known} />
        <PagedTable
          caption="Deliveries"
          captionHidden
          note={<ZoneNote />}
          pages={pages}
          keyOf={({ eventId, endpointId }) => `${eventId} ${endpointId}`}
          empty={
            isFiltered ? (
              <Empty title="No delivery matches">
                <p>
                  <a href={`/${practiceId}/deliveries`}>Show all deliveries</a>
                </p>
              </Empty>
            ) : (
              <Empty title="Nothing was delivered yet">
                <p>
                  Add an endpoint under <a href={`/${practiceId}/settings/webhooks`}>Webhooks</a> and send it a test
                  event.
                </p>
              </Empty>
            )
          }
          columns={[
            {
              label: 'Event',
              cell: (delivery) => (
                <div>
                  <a href={addressOf(delivery)}>{delivery.eventType}</a>
                  {delivery.sessionId !== undefined && (
                    <p>
                      <code class="quiet">{delivery.sessionId}</code>
                    </p>
                  )}
                </div>
              ),
            },
            {
              label: 'Status',
              cell: ({ status, attempts }) => (
                <div>
                  <DeliveryStatus status={status} />
                  {attempts > 1 && <p class="quiet">{formatCount(attempts, 'attempt')}</p>}
                </div>
              ),
            },
            { label: 'Endpoint', cell: ({ endpointId }) => urls.get(endpointId) ?? endpointId },
            { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      </section>
    </Screen>
  );
}
