import { call } from '../api.ts';
import { auditWords, authorWords, detailLabel, detailText, isTime, type AuditEntry } from '../audit-words.ts';
import { PrintButton } from '../parts/button.tsx';
import { Empty, Screen } from '../parts/screen.tsx';
import { PagedTable } from '../parts/table.tsx';
import { Time, ZoneNote } from '../parts/facts.tsx';
import { usePlatformName, usePractice } from '../practice.ts';
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
      actions={<PrintButton />}
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
            { label: 'Who', cell: (entry) => <Who entry={entry} /> },
            { label: 'From', cell: (entry) => <From entry={entry} /> },
          ]}
        />
      </section>
    </Screen>
  );
}

function Who({ entry }: { readonly entry: AuditEntry }) {
  const { who, actedFor } = authorWords(entry);
  const platform = usePlatformName(actedFor ?? '');
  return (
    <div>
      <p>{who}</p>
      {actedFor !== undefined && <p class="quiet">for {platform}</p>}
    </div>
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
  const { invoiceId, ...others } = details;
  return (
    <div>
      <p>
        <strong>{auditWords[action]}</strong>
      </p>
      {target !== undefined && target !== practiceId && (
        <p class="quiet">
          <Target target={target} practiceId={practiceId} invoiceId={invoiceId} />
        </p>
      )}
      {inOrder(others).map(([name, value]) => (
        <p key={name} class="quiet lines">
          {detailLabel(name)}: {isTime(value) ? <Time at={value} /> : detailText(name, value)}
        </p>
      ))}
    </div>
  );
}

interface TargetProps {
  readonly target: string;
  readonly practiceId: string;
  readonly invoiceId: string | undefined;
}

function Target({ target, practiceId, invoiceId }: TargetProps) {
  const id = <code>{target}</code>;
  const [page, words] = target.startsWith('ses_')
    ? [`/${practiceId}/sessions/${target}`, invoiceId === undefined ? 'See the payment' : `Invoice ${invoiceId}`]
    : target.startsWith('whe_')
      ? [`/${practiceId}/settings/webhooks/${target}`, 'See the endpoint']
      : target.startsWith('prc_')
        ? [`/${target}`, 'See the practice']
        : [];
  if (page === undefined) return id;
  return (
    <>
      <a href={page}>{words}</a> {id}
    </>
  );
}

/** Details have no order of their own: those whose names say most come first. */
function inOrder(details: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const rank = (name: string) => (name === 'name' ? '' : name);
  return Object.entries(details).sort(([one], [other]) => rank(one).localeCompare(rank(other)));
}
