import { useState } from 'preact/hooks';
import type { KeySummary } from '../../../functions/contract/practices/dashboard-keys.ts';
import { formatDay } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Tag, Time, ZoneNote } from '../parts/facts.tsx';
import { Screen, Empty, Panel, Loaded } from '../parts/screen.tsx';
import { Table } from '../parts/table.tsx';
import { isOwnAdmin, ownAdmins, usePractice, keyStateOf, scopeWords, type KeyState } from '../practice.ts';
import { Issued, NewKey, type IssuedKey, RevokeKey, RotateKey } from './api-keys/dialogs.tsx';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';

export function ApiKeys() {
  const practice = usePractice();
  const { practiceId } = practice;
  const answer = useAnswer('listKeys', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  const [issued, setIssued] = useState<IssuedKey>();
  const isAdmin = isOwnAdmin(practice);
  const close = () => replaceQuery({ new: undefined, rotate: undefined, revoke: undefined });
  async function show(key: IssuedKey) {
    setIssued(key);
    close();
    await answer.reload();
  }
  async function forget({ keyId }: KeySummary) {
    setIssued((last) => (last?.keyId === keyId ? undefined : last));
    await answer.reload();
  }
  const working = answer.value?.keys.filter(isWorking) ?? [];
  const named = (name: string) => (isAdmin ? working.find(({ keyId }) => keyId === query.get(name)) : undefined);
  const [rotating, revoking] = [named('rotate'), named('revoke')];
  return (
    <Screen
      title="API keys"
      lead="Your software signs in to the practice API with a key. Give each program its own key, so that you can revoke one without the others."
      actions={
        isAdmin && (
          <Button kind="primary" onClick={() => setQuery({ new: '1' })}>
            Create key
          </Button>
        )
      }
    >
      {issued && <Issued {...issued} />}
      <Loaded of={answer}>
        {({ keys }) => (
          <>
            <WorkingKeys keys={working} isAdmin={isAdmin} />
            <EndedKeys keys={keys.filter((key) => !isWorking(key))} />
          </>
        )}
      </Loaded>
      {!isAdmin && <p class="quiet">Only {ownAdmins(practice)} create, rotate and revoke keys.</p>}
      {isAdmin && query.has('new') && <NewKey close={close} done={show} />}
      {rotating && <RotateKey of={rotating} close={close} done={show} />}
      {revoking && <RevokeKey of={revoking} close={close} done={() => forget(revoking)} />}
    </Screen>
  );
}

function isWorking(key: KeySummary): boolean {
  const state = keyStateOf(key, Date.now());
  return state === 'active' || state === 'expiring';
}

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

function WorkingKeys({ keys, isAdmin }: { readonly keys: readonly KeySummary[]; readonly isAdmin: boolean }) {
  const { setQuery } = useQuery();
  if (keys.length === 0)
    return (
      <Empty title="No active keys">
        <p>{isAdmin ? 'Create a key, and your software can create payment links.' : 'An admin can create one.'}</p>
      </Empty>
    );
  return (
    <Panel title="Active keys">
      <Table
        caption="Active keys"
        note={<ZoneNote />}
        rows={keys}
        keyOf={({ keyId }) => keyId}
        columns={[
          { label: 'Key', cell: (key) => <KeyName of={key} /> },
          { label: 'Permissions', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope].label).join(', ') },
          { label: 'Last used', cell: lastUse },
          { label: 'Expires', cell: ({ expiresAt }) => (expiresAt === undefined ? 'Never' : <Time at={expiresAt} />) },
        ]}
        actions={
          isAdmin &&
          (({ keyId, name }) => (
            <div class="actions">
              <Button kind="plain" aria-label={`Rotate ${name}`} onClick={() => setQuery({ rotate: keyId })}>
                Rotate
              </Button>
              <Button kind="plain" aria-label={`Revoke ${name}`} onClick={() => setQuery({ revoke: keyId })}>
                Revoke
              </Button>
            </div>
          ))
        }
      />
    </Panel>
  );
}

function EndedKeys({ keys }: { readonly keys: readonly KeySummary[] }) {
  if (keys.length === 0) return null;
  return (
    <Panel title="Inactive keys">
      <Table
        caption="Inactive keys"
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
