import { useState } from 'preact/hooks';
import { isDay } from '../../days.ts';
import { formatDay } from '../../format.ts';
import { ClearFilters, Button } from '../../parts/button.tsx';
import { outcomeWords, type Outcome } from '../../session-words.ts';
import { useQuery, useTyped } from '../../use-query.ts';
import { DayField } from '../../parts/field.tsx';
import { Empty } from '../../parts/screen.tsx';
import { allows, usePractice, type Role } from '../../practice.ts';

type SessionFilters = ReturnType<typeof filtersOf>;

function isOutcome(name: string): name is Outcome {
  return Object.hasOwn(outcomeWords, name);
}

/** Days are like 2026-11-20, or empty. */
export function filtersOf(query: URLSearchParams) {
  const dayOrNone = (name: string) => {
    const text = query.get(name) ?? '';
    return isDay(text) ? text : '';
  };
  return {
    status: query.getAll('status').filter(isOutcome),
    from: dayOrNone('from'),
    to: dayOrNone('to'),
  };
}

export function hasFilters({ status, from, to }: SessionFilters): boolean {
  return status.length > 0 || from !== '' || to !== '';
}

/** Describes the filters on paper, which has no form to show them. */
function filterWords(text: string, isSearch: boolean, { status, from, to }: SessionFilters): string {
  return [
    isSearch && (text ? `found by “${text}”` : 'found by a search'),
    status.map((each) => outcomeWords[each]).join(' or '),
    from && `created from ${formatDay(from)}`,
    to && `created until ${formatDay(to)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

interface FiltersProps {
  readonly text: string;
  readonly isSearch: boolean;
  readonly search: (text: string) => void;
}

/** The filters are in the URL, so that they can be bookmarked and Back removes them. The search text is not: it can be a name. */
export function Filters({ text, isSearch, search }: FiltersProps) {
  const { query, setQuery } = useQuery();
  const [open, setOpen] = useState(false);
  const filters = filtersOf(query);
  const isFiltered = hasFilters(filters) || isSearch;
  const count = filters.status.length + [filters.from, filters.to].filter(Boolean).length;
  return (
    <>
      <p class="on-paper">{isFiltered && `Only: ${filterWords(text, isSearch, filters)}`}</p>
      <div class="filters">
        <SearchBox text={text} search={search} />
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
            {Object.entries(outcomeWords).map(([status, words]) => (
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
          </fieldset>
        </div>
        {isFiltered && <ClearFilters />}
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

/** The API's limit. */
const longestText = 200;

/** Viewers see no names, so they cannot search by them. */
const seesNames = (role: Role) => allows(role, 'staff');

interface SearchProps {
  readonly text: string;
  readonly search: (text: string) => void;
}

function SearchBox({ text, search }: SearchProps) {
  const { role } = usePractice();
  const [typed, setTyped] = useTyped(text);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed.trim());
      }}
    >
      <label class="label" for="session-search">
        {seesNames(role) ? 'Name, amount, invoice or reference number' : 'Amount, invoice or reference number'}
      </label>
      <div class="input-row">
        <input
          id="session-search"
          type="search"
          value={typed}
          maxLength={longestText}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">Search</Button>
      </div>
    </form>
  );
}

export function NothingFound({ search, filtered }: Pick<SearchProps, 'search'> & { readonly filtered: boolean }) {
  const { role } = usePractice();
  return (
    <Empty title="Nothing found">
      <p>
        {seesNames(role)
          ? 'Type the beginning of one or more of the names. '
          : 'Only staff and admins can search by name. '}
        An invoice number or the reference number on a receipt must be complete. An amount needs a dollar sign or cents,
        like $40 or 85.50
        {seesNames(role) && ', or a name before it, like Lopez 40'}. {filtered && 'The filters apply, too.'}
      </p>
      <Button onClick={() => search('')}>Show all payments</Button>
    </Empty>
  );
}

/** Shown for a search that this page no longer knows, or that found nothing before a reload. */
export function SearchAgain({ search }: Pick<SearchProps, 'search'>) {
  return (
    <Empty title="Search again">
      <p>The page was reloaded. Your search text is not kept, because it may be a name.</p>
      <Button onClick={() => search('')}>Show all payments</Button>
    </Empty>
  );
}
