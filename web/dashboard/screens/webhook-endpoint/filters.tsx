import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { eventTypes, eventWords, retryWords } from '../../session-words.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Panel } from '../../parts/screen.tsx';
import { allows, usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { useQuery } from '../../use-query.ts';
import { checkFilters, chosenTypes, FilterFields, filtersOf, retryPolicyOf } from '../webhooks/endpoint-filters.tsx';

interface FiltersProps {
  readonly endpoint: EndpointSummary;
  readonly reload: () => Promise<void>;
}

/** Which events it gets, and when a failed delivery is tried again. */
export function Filters({ endpoint, reload }: FiltersProps) {
  const { role } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  const { eventTypes: chosen, retryPolicy = 'standard' } = endpoint;
  const isAdmin = allows(role, 'admin');
  const close = () => replaceQuery({ dialog: undefined });
  return (
    <Panel
      title="Events and retries"
      actions={isAdmin && <Button onClick={() => setQuery({ dialog: 'filters' })}>Change</Button>}
    >
      <Facts
        facts={[
          [
            'Events',
            chosen === undefined ? (
              'All, including types added later'
            ) : (
              <ul class="plain-list">
                {eventTypes
                  .filter((type) => chosen.includes(type))
                  .map((type) => (
                    <li key={type}>
                      {eventWords[type]} <code class="quiet">{type}</code>
                    </li>
                  ))}
              </ul>
            ),
          ],
          ['Tries again', `${retryWords[retryPolicy].label}. ${retryWords[retryPolicy].hint}`],
        ]}
      />
      {isAdmin && query.get('dialog') === 'filters' && (
        <ChangeFilters
          endpoint={endpoint}
          close={close}
          changed={async () => {
            close();
            announce('The endpoint was changed.');
            await reload();
          }}
        />
      )}
    </Panel>
  );
}

interface ChangeFiltersProps {
  readonly endpoint: EndpointSummary;
  readonly close: () => void;
  readonly changed: () => Promise<void>;
}

function ChangeFilters({ endpoint, close, changed }: ChangeFiltersProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'filters',
    initial: filtersOf(endpoint),
    check: checkFilters,
    send: (values) =>
      call('changeWebhookEndpoint', {
        params: { practiceId, endpointId: endpoint.endpointId },
        body: { eventTypes: chosenTypes(values) ?? ['all'], retryPolicy: retryPolicyOf(values) },
      }),
    sent: () => void changed(),
  });
  return (
    <FormDialog title="Events and retries" form={form} action="Save" close={close}>
      <FilterFields
        which={form.field('which')}
        eventTypes={form.field('eventTypes')}
        retryPolicy={form.field('retryPolicy')}
      />
    </FormDialog>
  );
}
