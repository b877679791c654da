import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { Button, ClearFilters } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { deliveryStatuses } from '../../parts/tag.tsx';
import { usePractice } from '../../practice.ts';
import { useQuery, useTyped } from '../../use-query.ts';

interface DeliveryFiltersProps {
  readonly endpoints: readonly EndpointSummary[];
  readonly isFiltered: boolean;
}

/** A select applies at once; the session ID applies when it is submitted. */
export function DeliveryFilters({ endpoints, isFiltered }: DeliveryFiltersProps) {
  const { practiceId } = usePractice();
  const { query, setQuery } = useQuery();
  const [sessionId, setSessionId] = useTyped(query.get('sessionId') ?? '');
  const field = (name: 'status' | 'endpointId') => ({
    id: `filter-${name}`,
    value: query.get(name) ?? '',
    set: (value: string) => setQuery({ [name]: value }),
    error: undefined,
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
        options={[
          { value: '', label: 'Any' },
          ...endpoints.map(({ endpointId, url }) => ({ value: endpointId, label: url })),
        ]}
      />
      <TextField
        field={{ id: 'filter-session', value: sessionId, set: setSessionId, error: undefined }}
        label="Session ID"
        spellcheck={false}
      />
      <Button type="submit">Filter</Button>
      {isFiltered && <ClearFilters href={`/${practiceId}/deliveries`} />}
    </form>
  );
}
