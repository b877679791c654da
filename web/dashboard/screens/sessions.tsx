import { useState } from 'preact/hooks';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { call } from '../api.ts';
import { createdBetween } from '../days.ts';
import { formatDollars } from '../format.ts';
import { Button, ButtonLink, PrintButton } from '../parts/button.tsx';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { SessionStatus, Time, ZoneNote } from '../parts/facts.tsx';
import { fullName, blockWords, isOver } from '../session-words.ts';
import { allows, usePractice } from '../practice.ts';
import { useEvery } from '../use-every.ts';
import { usePages } from '../use-answer.ts';
import { useKeptList, useQuery } from '../use-query.ts';
import { Filters, filtersOf, hasFilters, NothingFound, SearchAgain } from './sessions/filters.tsx';
import { idsFoundBefore, keepFound, useSearch } from './sessions/search.ts';
import { ExportDialog } from './sessions/export-dialog.tsx';

const pageSize = '50';
/** The largest page that the API returns. */
const mostRefreshed = 100;
const keyOf = ({ sessionId }: MemberSession) => sessionId;

export function Sessions() {
  const { practiceId, role, timeZone } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  useKeptList(`/${practiceId}/sessions`);
  const { text, isSearch, searchKey, search } = useSearch(practiceId);
  const [foundMore, setFoundMore] = useState(false);
  const filters = filtersOf(query);
  const listed = { outcome: filters.status, ...createdBetween(filters, timeZone) };
  const params = { practiceId };
  const list = JSON.stringify([practiceId, listed, searchKey]);

  async function find(signal: AbortSignal) {
    const body = {
      ...listed,
      outcome: [...listed.outcome],
      ...(text ? { text } : { sessionIds: idsFoundBefore(list) }),
    };
    const answer = await call('searchSessions', { params, body, signal });
    if (!answer.ok) return answer;
    const { data, complete } = answer.value;
    setFoundMore(!complete);
    if (text) keepFound(list, data.map(keyOf));
    return { ok: true, value: { data, nextCursor: null } } as const;
  }

  const pages = usePages(list, keyOf, async (cursor, signal) =>
    isSearch ? find(signal) : call('listSessions', { params, query: { ...listed, limit: pageSize, cursor }, signal }),
  );

  const shown = pages.items.slice(0, mostRefreshed);
  useEvery(
    5,
    shown.some((session) => !isOver(session)),
    async () => {
      // Asks for any status, because it may have changed since.
      pages.refresh(await call('searchSessions', { params, body: { sessionIds: shown.map(keyOf) } }));
    },
  );

  const mayWrite = allows(role, 'staff');
  return (
    <Screen
      title="Payments"
      lead="Every payment link, whether it is paid or not. Each is for one patient and one invoice."
      actions={
        <>
          {mayWrite && (
            <ButtonLink kind="primary" href={`/${practiceId}/sessions/new`}>
              New payment link
            </ButtonLink>
          )}
          <Button onClick={() => setQuery({ dialog: 'export' })}>Export CSV</Button>
          <PrintButton />
        </>
      }
    >
      <section class="panel" aria-label="List of payments">
        <Filters text={text} isSearch={isSearch} search={search} />
        {isSearch && !text && pages.items.length > 0 && (
          <p class="quiet">
            These are your results from before the page was reloaded. Your search text is not kept, because it may be a
            name.
          </p>
        )}
        <PagedTable
          compact
          caption={isSearch ? 'What was found, newest first' : 'Payments, newest first'}
          note={<ZoneNote />}
          columns={columnsOf(practiceId, mayWrite)}
          pages={pages}
          empty={
            !isSearch ? (
              <NoSessions filtered={hasFilters(filters)} mayWrite={mayWrite} />
            ) : text ? (
              <NothingFound search={search} filtered={hasFilters(filters)} />
            ) : (
              <SearchAgain search={search} />
            )
          }
        />
        {text && foundMore && (
          <p class="quiet">
            {pages.items.length > 0 ? 'There may be more.' : 'Not all payments could be searched.'}{' '}
            {/\d/.test(text) ? 'Choose other days.' : 'Type more of the name, or choose other days.'}
          </p>
        )}
      </section>
      {query.get('dialog') === 'export' && (
        <ExportDialog from={filters.from} to={filters.to} close={() => replaceQuery({ dialog: undefined })} />
      )}
    </Screen>
  );
}

function columnsOf(practiceId: string, names: boolean): readonly Column<MemberSession>[] {
  const patient: Column<MemberSession> = {
    label: 'Patient',
    cell: ({ patient: person }) => (person ? fullName(person) : ''),
  };
  return [
    {
      label: 'Invoice',
      cell: ({ sessionId, invoiceId }) => (
        <a class="row-link" href={`/${practiceId}/sessions/${sessionId}`}>
          {invoiceId}
        </a>
      ),
    },
    { label: 'Amount', align: 'right', cell: ({ amountCents }) => formatDollars(amountCents) },
    { label: 'Status', cell: (session) => <StatusCell session={session} /> },
    ...(names ? [patient] : []),
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function StatusCell({ session }: { readonly session: MemberSession }) {
  return (
    <>
      <SessionStatus session={session} />
      {session.blockedBy && <span class="quiet blocked">{blockWords[session.blockedBy]}</span>}
    </>
  );
}

interface NoSessionsProps {
  readonly filtered: boolean;
  readonly mayWrite: boolean;
}

function NoSessions({ filtered, mayWrite }: NoSessionsProps) {
  const { practiceId } = usePractice();
  if (filtered)
    return (
      <Empty title="No payment matches these filters">
        <p>
          Remove a filter, or <a href={`/${practiceId}/sessions`}>show all payments</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No payments yet">
      {mayWrite ? (
        <>
          <p>Create a payment link and send it to a patient.</p>
          <ButtonLink href={`/${practiceId}/sessions/new`}>New payment link</ButtonLink>
        </>
      ) : (
        <p>They appear here as soon as somebody creates a payment link.</p>
      )}
    </Empty>
  );
}
