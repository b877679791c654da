import { call } from '../api.ts';
import { auditWords, authorWords, detailLabel, isTime, type AuditEntry } from '../audit-words.ts';
import { formatDollars } from '../format.ts';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable } from '../parts/table.tsx';
import { Time, ZoneNote } from '../parts/facts.tsx';
import { usePractice } from '../practice.ts';
import { usePages } from '../use-answer.ts';

export function AuditLog() {
  const { practiceId } = usePractice();
  const pages = usePages(
    practiceId,
    (entry: AuditEntry) => entry.entryId,
    (cursor, signal) => call('listAuditLog', { params: { practiceId }, query: { cursor }, signal }),
  );
  return (
    <Screen
      title="Audit log"
      lead="Every change in this dashboard, by the service’s operator or by the payment processor, and each erasure or webhook change by an API key, newest first. Entries cannot be changed or deleted."
    >
      <section class="panel" aria-label="Changes">
        <PagedTable
          caption="Changes"
          note={<ZoneNote />}
          pages={pages}
          empty={
            <Empty title="No changes yet">
              <p>Changes to payments, settings, the team, keys and webhooks show up here.</p>
            </Empty>
          }
          columns={[
            { label: 'When', cell: ({ at }) => <Time at={at} /> },
            { label: 'What', cell: (entry) => <What entry={entry} /> },
            { label: 'Who', cell: (entry) => authorWords(entry).who },
            { label: 'From', cell: (entry) => <From entry={entry} /> },
          ]}
        />
      </section>
    </Screen>
  );
}

function From({ entry }: { readonly entry: AuditEntry }) {
  const { from, connectedFrom } = authorWords(entry);
  return (
    <div class="address">
      <p>{from}</p>
      {connectedFrom !== undefined && <p class="quiet">connected from {connectedFrom}</p>}
    </div>
  );
}

function What({ entry: { action, target, details = {}, practiceId } }: { readonly entry: AuditEntry }) {
  return (
    <div>
      <p>
        <strong>{auditWords[action]}</strong>
      </p>
      {target !== undefined && target !== practiceId && (
        <p class="quiet">
          <Target target={target} practiceId={practiceId} />
        </p>
      )}
      {inOrder(details).map(([name, value]) => (
        <p key={name} class="quiet lines">
          {detailLabel(name)}: {isTime(value) ? <Time at={value} /> : detailText(name, value)}
        </p>
      ))}
    </div>
  );
}

/** `removed` holds the names of settings. */
function detailText(name: string, value: string): string {
  if (name === 'amountCents') return formatDollars(Number(value));
  return name === 'removed' ? value.split(' ').map(detailLabel).join(', ') : value;
}

function Target({ target, practiceId }: { readonly target: string; readonly practiceId: string }) {
  const page = target.startsWith('ses_')
    ? `/${practiceId}/sessions/${target}`
    : target.startsWith('whe_')
      ? `/${practiceId}/settings/webhooks/${target}`
      : undefined;
  const id = <code>{target}</code>;
  return page === undefined ? id : <a href={page}>{id}</a>;
}

/** Details have no order of their own: those whose names say most come first. */
function inOrder(details: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const rank = (name: string) => (name === 'name' ? '' : name);
  return Object.entries(details).sort(([one], [other]) => rank(one).localeCompare(rank(other)));
}
