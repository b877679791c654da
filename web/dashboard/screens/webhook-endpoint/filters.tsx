import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/notice.tsx';
import { Button } from '../../parts/button.tsx';
import { CheckboxesField, RadiosField } from '../../parts/choices.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog, type DialogAbout } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/screen.tsx';
import { isOwnAdmin, isPlatform, usePractice } from '../../practice.ts';
import { eventTypes, eventTypesFor, eventWords, retryWords, type EventType } from '../../session-words.ts';
import { useForm, type Form } from '../../use-form.ts';
import { useQuery } from '../../use-query.ts';
import type { EndpointProps } from './health.tsx';

export function Filters({ endpoint, reload }: EndpointProps) {
  const { query, setQuery, replaceQuery } = useQuery();
  const { eventTypes: chosen, retryPolicy = 'standard' } = endpoint;
  const isAdmin = isOwnAdmin(usePractice());
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
        <ChangeFilters of={endpoint} close={() => replaceQuery({ dialog: undefined })} done={reload} />
      )}
    </Panel>
  );
}

function ChangeFilters({ of: endpoint, close, done }: DialogAbout<EndpointSummary>) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'filters',
    initial: filtersOf(endpoint),
    check: checkFilters,
    send: (values) =>
      call('changeWebhookEndpoint', {
        params: { practiceId, endpointId: endpoint.endpointId },
        body: { eventTypes: chosenTypes(values) ?? ['all'], retryPolicy: values.retryPolicy },
      }),
    sent: () => {
      close();
      announce('The endpoint was changed.');
      void done();
    },
  });
  return (
    <FormDialog title="Events and retries" form={form} action="Save" close={close}>
      <FilterFields form={form} />
    </FormDialog>
  );
}

type FilterValues = {
  readonly which: 'all' | 'some';
  readonly eventTypes: readonly EventType[];
  readonly retryPolicy: NonNullable<EndpointSummary['retryPolicy']>;
};

export function filtersOf({ eventTypes: chosen, retryPolicy = 'standard' }: Partial<EndpointSummary>): FilterValues {
  const types = eventTypes.filter((type) => chosen?.includes(type));
  return { which: chosen ? 'some' : 'all', eventTypes: types, retryPolicy };
}

export function chosenTypes({ which, eventTypes: chosen }: FilterValues): EventType[] | undefined {
  return which === 'all' ? undefined : [...chosen];
}

export function checkFilters(values: FilterValues): { readonly eventTypes?: string } {
  return chosenTypes(values)?.length === 0 ? { eventTypes: 'Choose at least one event.' } : {};
}

/** Which events an endpoint gets, and when a failed delivery is tried again. */
export function FilterFields({ form: { field } }: { readonly form: Pick<Form<FilterValues>, 'field'> }) {
  const owner = isPlatform(usePractice()) ? 'platform' : 'practice';
  const joining = owner === 'platform' ? ', and practices that join or leave,' : '';
  return (
    <>
      <RadiosField
        field={field('which')}
        label="Events"
        options={[
          {
            value: 'all',
            label: 'All events',
            hint: `Including types added later. Choose refunds, requests for a new link and opened pages${joining} by name.`,
          },
          { value: 'some', label: 'Only some' },
        ]}
      />
      {field('which').value === 'some' && (
        <CheckboxesField
          field={field('eventTypes')}
          label="Which"
          options={eventTypesFor(owner).map((type) => ({
            value: type,
            label: eventWords[type],
            hint: type,
          }))}
        />
      )}
      <RadiosField
        field={field('retryPolicy')}
        label="Try again"
        hint="Up to 10 times over 3 days."
        options={[
          { value: 'standard', ...retryWords.standard },
          { value: 'all', ...retryWords.all },
        ]}
      />
    </>
  );
}
