import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useState } from 'preact/hooks';
import { queryOf } from './api.ts';

type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Screen state in the URL, such as filters and tabs, so that it can be bookmarked. */
export function useQuery() {
  const { url, path, route } = useLocation();
  const query = new URL(url, location.origin).searchParams;
  function addressAfter(changes: Changes): string {
    const kept = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
    const merged = Object.fromEntries([...kept, ...Object.entries(changes)]);
    const filled = Object.entries(merged).map(
      ([name, value]) => [name, [value ?? []].flat().filter((each) => each !== '')] as const,
    );
    return path + queryOf(Object.fromEntries(filled));
  }
  return {
    query,
    /** Keeps the other parameters. An empty value removes its parameter. */
    setQuery: (changes: Changes) => route(addressAfter(changes)),
    /** Like `setQuery`, but replaces the history entry, for a dialog that closes: Back must not reopen it. */
    replaceQuery: (changes: Changes) => route(addressAfter(changes), true),
  };
}

/** The address of the list of payments, as it was last seen, even before a reload. */
const lastList = 'last list';

export function useKeptList(list: string): void {
  const { path } = useLocation();
  const { query } = useQuery();
  query.delete('dialog');
  const shown = query.toString();
  // While the next screen loads, this one is still shown, but the address is already the next one's.
  useLayoutEffect(() => void (path === list && sessionStorage.setItem(lastList, `${list}?${shown}`)), [path, shown]);
}

/** Leads back from a payment or the form to the list, with the filters and the search that it had. The menu starts fresh. */
export function backToPayments(practiceId: string) {
  const list = `/${practiceId}/sessions`;
  const last = sessionStorage.getItem(lastList) ?? '';
  return { href: last.startsWith(`${list}?`) ? last : list, label: 'Payments' };
}

/** The text of a field whose submitted value is in the URL. Any change to the URL discards what was not submitted. */
export function useTyped(submitted: string): [string, (text: string) => void] {
  const { url } = useLocation();
  const [typed, setTyped] = useState(submitted);
  // An effect after the paint would clear what was typed before it ran.
  useLayoutEffect(() => setTyped(submitted), [submitted, url]);
  return [typed, setTyped];
}
