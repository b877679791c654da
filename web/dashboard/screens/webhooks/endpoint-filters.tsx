import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { eventTypes, eventWords, retryWords, type EventType } from '../../session-words.ts';
import { CheckboxesField, RadiosField } from '../../parts/choices.tsx';
import type { Field } from '../../use-form.ts';

interface FilterValues {
  readonly which: string;
  readonly eventTypes: readonly string[];
  readonly retryPolicy: string;
}

/** Present for an existing endpoint. */
export function filtersOf({ eventTypes: chosen, retryPolicy = 'standard' }: EndpointSummary) {
  return { which: chosen ? 'some' : 'all', eventTypes: chosen ?? noTypes, retryPolicy: String(retryPolicy) };
}

const noTypes: readonly string[] = [];
export const newFilters = { which: 'all', eventTypes: noTypes, retryPolicy: 'standard' };

export function chosenTypes({ which, eventTypes: chosen }: Omit<FilterValues, 'retryPolicy'>): EventType[] | undefined {
  return which === 'all' ? undefined : eventTypes.filter((type) => chosen.includes(type));
}

export function checkFilters(values: FilterValues): { readonly eventTypes?: string } {
  return chosenTypes(values)?.length === 0 ? { eventTypes: 'Choose at least one event.' } : {};
}

export function retryPolicyOf({ retryPolicy }: Pick<FilterValues, 'retryPolicy'>): 'standard' | 'all' {
  return retryPolicy === 'all' ? 'all' : 'standard';
}

type FilterFieldsProps = { readonly [Name in keyof FilterValues]: Field<FilterValues[Name]> };

/** Which events an endpoint gets, and when a failed delivery is tried again. */
export function FilterFields({ which, eventTypes: chosen, retryPolicy }: FilterFieldsProps) {
  return (
    <>
      <RadiosField
        field={which}
        label="Events"
        options={[
          {
            value: 'all',
            label: 'All events',
            hint: 'Including types added later, except when a patient asks for a new link.',
          },
          { value: 'some', label: 'Only some' },
        ]}
      />
      {which.value === 'some' && (
        <CheckboxesField
          field={chosen}
          label="Which"
          options={eventTypes.map((type) => ({ value: type, label: eventWords[type], hint: type }))}
        />
      )}
      <RadiosField
        field={retryPolicy}
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
