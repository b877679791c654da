import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/screen.tsx';
import { allows, usePractice, type Role } from '../../practice.ts';
import { useQuery, useTyped } from '../../use-query.ts';

/** The API's limit. */
const longestText = 200;

/** Kept while the tab is open, and nowhere else: the address and the history have a key, because a text may be a name. */
const searched = new Map<string, string>();

/** What the address says was searched, so that it is still there when the user comes back from a payment. */
export function useSearchText(practiceId: string): readonly [string, (text: string) => void] {
  const { query, setQuery } = useQuery();
  return [
    searched.get(`${practiceId} ${query.get('search')}`) ?? '',
    (text) => {
      const key = text === '' ? '' : crypto.randomUUID().slice(0, 8);
      searched.set(`${practiceId} ${key}`, text);
      setQuery({ search: key });
    },
  ];
}

/** Viewers see no names, so they cannot search by them. */
const seesNames = (role: Role) => allows(role, 'staff');

interface SearchProps {
  readonly text: string;
  readonly search: (text: string) => void;
}

export function SearchBox({ text, search }: SearchProps) {
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
        {seesNames(role) ? 'Name, invoice or reference number' : 'Invoice or reference number'}
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
        {seesNames(role) && 'Begin with the first name, the last name or its last word. '}An invoice number or the
        reference number on a receipt must be complete.{' '}
        {seesNames(role) && 'To find an amount, put it after the name, like Lopez 40 or Lopez 85.50. '}
        {filtered && 'The filters count, too.'}
      </p>
      <Button onClick={() => search('')}>Show all payments</Button>
    </Empty>
  );
}
