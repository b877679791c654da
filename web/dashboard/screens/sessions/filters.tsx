import { useState } from 'preact/hooks';
import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { isDay } from '../../days.ts';
import { formatDay } from '../../format.ts';
import { Button, ClearFilters } from '../../parts/button.tsx';
import { sessionStatuses } from '../../session-words.ts';
import { useQuery, useTyped } from '../../use-query.ts';
import { DayField } from '../../parts/field.tsx';

type Status = MemberSession['status'];

interface SessionFilters {
  readonly status: readonly Status[];
  readonly returned: boolean;
  /** Days like 2026-11-20, or empty. */
  readonly from: string;
  readonly to: string;
  readonly invoice: string;
}

function isStatus(name: string): name is Status {
  return Object.hasOwn(sessionStatuses, name);
}

/** Reads the filters from a URL. Leaves out invalid ones. */
export function filtersOf(query: URLSearchParams): SessionFilters {
  const dayOrNone = (name: string) => {
    const text = query.get(name) ?? '';
    return isDay(text) ? text : '';
  };
  return {
    status: query.getAll('status').filter(isStatus),
    returned: query.get('returned') === 'true',
    from: dayOrNone('from'),
    to: dayOrNone('to'),
    invoice: query.get('invoice') ?? '',
  };
}

export function hasFilters({ status, returned, from, to, invoice }: SessionFilters): boolean {
  return status.length > 0 || returned || from !== '' || to !== '' || invoice !== '';
}

/** For paper, which has no form to read them from. */
function filterWords({ status, returned, from, to, invoice }: SessionFilters): string {
  return [
    invoice && `Invoice ${invoice}`,
    status.map((each) => sessionStatuses[each].words).join(' or '),
    returned && 'Returned',
    from && `created from ${formatDay(from)}`,
    to && `created until ${formatDay(to)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The filters are in the URL, so that they can be bookmarked and Back removes them. */
export function Filters() {
  const { query, setQuery } = useQuery();
  const [open, setOpen] = useState(false);
  const filters = filtersOf(query);
  const count = filters.status.length + [filters.returned, filters.from, filters.to].filter(Boolean).length;
  return (
    <>
      <p class="on-paper">{hasFilters(filters) && `Only: ${filterWords(filters)}`}</p>
      <div class="filters">
        <InvoiceSearch invoice={filters.invoice} />
        <button
          type="button"
          class="button secondary more-filters"
          aria-expanded={open}
          aria-controls="filter-fields"
          onClick={() => setOpen(!open)}
        >
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </button>
        <div id="filter-fields" class="filter-fields" data-open={open}>
          <div class="day-filters">
            <DayFilter name="from" label="Created from" day={filters.from} />
            <DayFilter name="to" label="Until" day={filters.to} />
          </div>
          <fieldset class="chips">
            <legend class="label">Status</legend>
            {Object.entries(sessionStatuses).map(([status, { words }]) => (
              <label key={status} class="chip">
                <input
                  type="checkbox"
                  checked={filters.status.some((each) => each === status)}
                  onChange={(event) =>
                    setQuery({
                      status: event.currentTarget.checked
                        ? [...filters.status, status]
                        : filters.status.filter((each) => each !== status),
                    })
                  }
                />
                {words}
              </label>
            ))}
            <label class="chip">
              <input
                type="checkbox"
                checked={filters.returned}
                onChange={(event) => setQuery({ returned: event.currentTarget.checked ? 'true' : '' })}
              />
              Returned
            </label>
          </fieldset>
        </div>
        {hasFilters(filters) && <ClearFilters />}
      </div>
    </>
  );
}

interface DayFilterProps {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly day: string;
}

function DayFilter({ name, label, day }: DayFilterProps) {
  const { setQuery } = useQuery();
  const [typed, setTyped] = useTyped(day);
  return (
    <DayField
      field={{
        id: `filter-${name}`,
        value: typed,
        set: (value) => {
          setTyped(value);
          if (value === '' || isDay(value)) setQuery({ [name]: value });
        },
      }}
      label={label}
    />
  );
}

function InvoiceSearch({ invoice }: { readonly invoice: string }) {
  const { setQuery } = useQuery();
  const [typed, setTyped] = useTyped(invoice);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ invoice: typed.trim() });
      }}
    >
      <label class="label" for="invoice-search">
        Invoice
      </label>
      <div class="input-row">
        <input
          id="invoice-search"
          type="search"
          value={typed}
          placeholder="Full invoice number"
          autoComplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </div>
    </form>
  );
}
