import { useQuery } from '../../use-query.ts';

/** Kept until the page is left, and nowhere else: the address and the history have a key, because a text may be a name. */
const searched = new Map<string, string>();

/** The search that the address refers to, so that it is still there when the user comes back from a payment. */
export function useSearch(practiceId: string) {
  const { query, setQuery } = useQuery();
  const searchKey = query.get('search') ?? '';
  return {
    /** Also empty after a reload. */
    text: searched.get(`${practiceId} ${searchKey}`) ?? '',
    isSearch: searchKey !== '',
    searchKey,
    search(text: string) {
      const key = text === '' ? '' : crypto.randomUUID().slice(0, 8);
      searched.set(`${practiceId} ${key}`, text);
      setQuery({ search: key });
    },
  };
}

const found = 'found';

/** Browsers may write it to disk, so it has no names, only IDs, which let a reload show the same payments again. */
export function keepFound(list: string, sessionIds: readonly string[]): void {
  sessionStorage.setItem(found, [list, ...sessionIds].join(' '));
}

/** Empty if another list was found last. */
export function idsFoundBefore(list: string): string[] {
  const kept = sessionStorage.getItem(found) ?? '';
  return kept.startsWith(`${list} `) ? kept.slice(list.length + 1).split(' ') : [];
}
