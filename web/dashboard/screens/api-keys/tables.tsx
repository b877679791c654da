import { scopeWords } from '../../role-words.ts';
import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { formatDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { Tag } from '../../parts/tag.tsx';
import { Time, ZoneNote } from '../../parts/time.tsx';
import { allows, usePractice } from '../../practice.ts';
import { useQuery } from '../../use-query.ts';
import { type KeyState, keyStateOf } from '../../key-state.ts';

const stateTags: Readonly<
  Record<KeyState, { readonly tone: 'good' | 'warning' | 'quiet' | 'bad'; readonly words: string }>
> = {
  active: { tone: 'good', words: 'Active' },
  expiring: { tone: 'warning', words: 'Expires soon' },
  expired: { tone: 'quiet', words: 'Expired' },
  revoked: { tone: 'bad', words: 'Revoked' },
};

function KeyName({ of: key }: { readonly of: KeySummary }) {
  const { tone, words } = stateTags[keyStateOf(key, Date.now())];
  return (
    <div>
      <p>
        <strong>{key.name}</strong> <Tag tone={tone}>{words}</Tag>
      </p>
      <p class="quiet">
        <code>{key.keyId}</code>
      </p>
    </div>
  );
}

function lastUse({ lastUsedOn }: KeySummary) {
  return lastUsedOn === undefined ? 'Never' : <span class="one-line">{formatDay(lastUsedOn)}</span>;
}

export function WorkingKeys({ keys }: { readonly keys: readonly KeySummary[] }) {
  const { role } = usePractice();
  const { setQuery } = useQuery();
  if (keys.length === 0)
    return (
      <Empty title="No active keys">
        <p>
          {allows(role, 'admin')
            ? 'Create a key, and your software can create payment links.'
            : 'An admin can create one.'}
        </p>
      </Empty>
    );
  return (
    <Panel title="Active keys">
      <Table
        caption="Active keys"
        captionHidden
        note={<ZoneNote />}
        rows={keys}
        keyOf={({ keyId }) => keyId}
        columns={[
          { label: 'Key', cell: (key) => <KeyName of={key} /> },
          { label: 'Permissions', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope].label).join(', ') },
          { label: 'Last used', cell: lastUse },
          { label: 'Expires', cell: ({ expiresAt }) => (expiresAt === undefined ? 'Never' : <Time at={expiresAt} />) },
          ...(allows(role, 'admin')
            ? [
                {
                  label: 'Actions',
                  labelHidden: true,
                  cell: ({ keyId, name }: KeySummary) => (
                    <div class="actions">
                      <Button kind="plain" aria-label={`Rotate ${name}`} onClick={() => setQuery({ rotate: keyId })}>
                        Rotate
                      </Button>
                      <Button kind="plain" aria-label={`Revoke ${name}`} onClick={() => setQuery({ revoke: keyId })}>
                        Revoke
                      </Button>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

export function EndedKeys({ keys }: { readonly keys: readonly KeySummary[] }) {
  if (keys.length === 0) return null;
  return (
    <Panel title="Inactive keys">
      <Table
        caption="Inactive keys"
        captionHidden
        rows={keys}
        keyOf={({ keyId }) => keyId}
        columns={[
          { label: 'Key', cell: (key) => <KeyName of={key} /> },
          { label: 'Ended', cell: ({ revokedAt, expiresAt = '' }) => <Time at={revokedAt ?? expiresAt} /> },
          { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Last used', cell: lastUse },
        ]}
      />
    </Panel>
  );
}
