import type { DeliverySummary } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { call } from '../api.ts';
import { formatCount } from '../format.ts';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable } from '../parts/table.tsx';
import { DeliveryStatus, deliveryStatuses, practiceOfDelivery, Time, ZoneNote } from '../parts/facts.tsx';
import { isPlatform, usePractice } from '../practice.ts';
import { useAnswer, usePages } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { useQuery, useTyped } from '../use-query.ts';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { Button, ClearFilters } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { isDueWithin } from '../attempt-words.ts';
import { deliveryTitle, receiptNumberOf } from '../session-words.ts';

/** The API's limit. */
const pageSize = 50;
const refreshSeconds = 5;

const filters = ['status', 'endpointId', 'sessionId'] as const;

export function Deliveries() {
  const practice = usePractice();
  const { practiceId } = practice;
  const { query } = useQuery();
  const chosen = Object.fromEntries(filters.map((name) => [name, query.get(name)]));
  const isFiltered = Object.values(chosen).some((value) => value !== null);
  const endpoints = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const urls = shortUrls(endpoints.value?.endpoints ?? []);
  const pages = usePages(JSON.stringify([practiceId, chosen]), keyOf, async (cursor, signal) => {
    const answer = await call('listDeliveries', { params: { practiceId }, query: { ...chosen, cursor }, signal });
    const hasNone = !answer.ok && answer.problem.code === 'session_not_found';
    return hasNone ? { ok: true, value: { data: [], nextCursor: null } } : answer;
  });
  const newest = pages.items.slice(0, pageSize);
  useEvery(
    refreshSeconds,
    newest.some(({ status }) => status === 'pending'),
    async () => {
      if (!newest.some((delivery) => isDueWithin(delivery, refreshSeconds))) return;
      // Asks for any status, because it may have changed since.
      const query = { ...chosen, status: undefined };
      pages.refresh(await call('listDeliveries', { params: { practiceId }, query }));
    },
  );
  const addressOf = ({ eventId, endpointId }: DeliverySummary) => `/${practiceId}/deliveries/${eventId}/${endpointId}`;

  return (
    <Screen
      title="Webhook deliveries"
      lead="What your software was told about payments, and whether it got there. Newest first."
    >
      <section class="panel" aria-label="List of deliveries">
        <DeliveryFilters urls={urls} />
        <PagedTable
          caption="Deliveries"
          note={<ZoneNote />}
          pages={pages}
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
            { label: 'Event', cell: (delivery) => <a href={addressOf(delivery)}>{deliveryTitle(delivery)}</a> },
            ...(isPlatform(practice) ? [{ label: 'Practice', cell: practiceOfDelivery }] : []),
            {
              label: 'Payment',
              cell: ({ sessionId, eventPracticeId = practiceId }) =>
                sessionId !== undefined && (
                  <a href={`/${eventPracticeId}/sessions/${sessionId}`}>{receiptNumberOf({ sessionId })}</a>
                ),
            },
            {
              label: 'Status',
              cell: ({ status, attempts }) => (
                <div>
                  <DeliveryStatus status={status} />
                  {attempts > 1 && <p class="quiet unbroken">{formatCount(attempts, 'attempt')}</p>}
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

function keyOf({ eventId, endpointId }: DeliverySummary): string {
  return `${eventId} ${endpointId}`;
}

/** The host, and the path too where endpoints share a host. */
function shortUrls(endpoints: readonly EndpointSummary[]): ReadonlyMap<string, string> {
  const urls = endpoints.map(({ endpointId, url }) => ({ endpointId, url: new URL(url) }));
  return new Map(
    urls.map(({ endpointId, url: { host, pathname } }) => {
      const isShared = urls.some((other) => other.endpointId !== endpointId && other.url.host === host);
      return [endpointId, isShared ? host + pathname : host];
    }),
  );
}

/** A select applies at once; the session ID applies when it is submitted. */
function DeliveryFilters({ urls }: { readonly urls: ReadonlyMap<string, string> }) {
  const { query, setQuery } = useQuery();
  const [sessionId, setSessionId] = useTyped(query.get('sessionId') ?? '');
  const field = (name: 'status' | 'endpointId') => ({
    id: `filter-${name}`,
    value: query.get(name) ?? '',
    set: (value: string) => setQuery({ [name]: value }),
  });
  return (
    <form
      class="filters"
      role="search"
      aria-label="Deliveries"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ sessionId: sessionId.trim() });
      }}
    >
      <SelectField
        field={field('status')}
        label="Status"
        options={[
          { value: '', label: 'Any' },
          ...Object.entries(deliveryStatuses).map(([value, { words }]) => ({ value, label: words })),
        ]}
      />
      <SelectField
        field={field('endpointId')}
        label="Endpoint"
        options={[{ value: '', label: 'Any' }, ...[...urls].map(([value, label]) => ({ value, label }))]}
      />
      <TextField
        field={{ id: 'filter-session', value: sessionId, set: setSessionId }}
        label="Session ID"
        spellcheck={false}
      />
      <Button type="submit">Filter</Button>
      {filters.some((name) => query.has(name)) && <ClearFilters />}
    </form>
  );
}
