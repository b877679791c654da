import type { PracticeOfPlatform } from '../../../functions/contract/practices/dashboard-settings.ts';
import { call } from '../api.ts';
import { Button, ClearFilters } from '../parts/button.tsx';
import { Tag, Time, ZoneNote } from '../parts/facts.tsx';
import { TextField } from '../parts/field.tsx';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable } from '../parts/table.tsx';
import { usePractice } from '../practice.ts';
import { usePages } from '../use-answer.ts';
import { useQuery, useTyped } from '../use-query.ts';

/** A platform's home: to find one of hundreds of practices, and to open it. */
export function Practices() {
  const { practiceId: platformId, name: platformName } = usePractice();
  const { query } = useQuery();
  const name = query.get('name') ?? '';
  const pages = usePages(
    JSON.stringify([platformId, name]),
    ({ practiceId }: PracticeOfPlatform) => practiceId,
    (cursor, signal) =>
      call('listPlatformPractices', {
        params: { practiceId: platformId },
        query: { name: name || undefined, cursor },
        signal,
      }),
  );
  return (
    <Screen
      title="Practices"
      lead={`Open a practice to act for it in your role. What you do there is in its audit log, with your name and that of ${platformName}.`}
    >
      <section class="panel" aria-label="List of practices">
        <Search name={name} />
        <PagedTable
          caption="Practices"
          note={<ZoneNote />}
          pages={pages}
          empty={
            name === '' ? (
              <Empty title="No practice yet">
                <p>Your software creates practices with an API key, or the operator lets one that exists join.</p>
              </Empty>
            ) : (
              <Empty title="No practice has this name">
                <p>Part of a name is enough. A practice that ended your access is no longer here.</p>
              </Empty>
            )
          }
          columns={[
            { label: 'Practice', cell: ({ practiceId, name: words }) => <a href={`/${practiceId}`}>{words}</a> },
            { label: 'Status', cell: (practice) => <Status of={practice} /> },
            { label: 'Yours since', cell: ({ platformSince }) => <Time at={platformSince} /> },
          ]}
        />
      </section>
    </Screen>
  );
}

function Search({ name }: { readonly name: string }) {
  const { setQuery } = useQuery();
  const [typed, setTyped] = useTyped(name);
  return (
    <form
      class="filters"
      role="search"
      aria-label="Practices"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ name: typed.trim() });
      }}
    >
      <TextField field={{ id: 'practice-name', value: typed, set: setTyped }} label="Name" spellcheck={false} />
      <Button type="submit">Search</Button>
      {name !== '' && <ClearFilters />}
    </form>
  );
}

const steps: Readonly<Record<PracticeOfPlatform['missingForLinks'][number], string>> = {
  terms: 'terms',
  deposit: 'deposits',
  contact: 'contact',
  branding: 'logo or color',
};

/** Whether patients can pay it, and what is missing. */
function Status({ of }: { readonly of: PracticeOfPlatform }) {
  const { closedAt, suspendedAt, debitsStoppedAt, missingForLinks: missing } = of;
  if (closedAt !== undefined) return <Tag tone="quiet">Closed</Tag>;
  if (suspendedAt !== undefined) return <Tag tone="warning">Suspended</Tag>;
  if (debitsStoppedAt !== undefined) return <Tag tone="bad">Stopped by Stripe</Tag>;
  if (missing.length === 0) return <Tag tone="good">Ready</Tag>;
  return (
    <div>
      <Tag tone="waiting">Not ready</Tag>
      <p class="quiet">Missing: {missing.map((step) => steps[step]).join(', ')}</p>
    </div>
  );
}
