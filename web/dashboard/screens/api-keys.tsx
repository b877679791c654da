import { useState } from 'preact/hooks';
import type { KeySummary } from '../../../functions/contract/dashboard-api/api-key.ts';
import { keyStateOf } from '../key-state.ts';
import { Button } from '../parts/button.tsx';
import { SecretOnce } from '../parts/copy.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { NewKey } from './api-keys/new-key.tsx';
import { RevokeKey } from './api-keys/revoke-key.tsx';
import { RotateKey } from './api-keys/rotate-key.tsx';
import { EndedKeys, WorkingKeys } from './api-keys/tables.tsx';

interface IssuedKey {
  readonly name: string;
  readonly apiKey: string;
}

export function ApiKeys() {
  const { practiceId, role } = usePractice();
  const answer = useAnswer('listKeys', { params: { practiceId } });
  const { setQuery } = useQuery();
  const [issued, setIssued] = useState<IssuedKey>();
  const isAdmin = allows(role, 'admin');
  return (
    <Screen
      title="API keys"
      lead="Your software signs in to the practice API with a key. Give each program a key of its own, so that you can end one without the others."
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
            <WorkingKeys keys={keys.filter(isWorking)} />
            <EndedKeys keys={keys.filter((key) => !isWorking(key))} />
            {isAdmin && <Dialogs keys={keys} issued={setIssued} changed={answer.reload} />}
          </>
        )}
      </Loaded>
      {!isAdmin && <p class="quiet">Only admins create, rotate and revoke keys.</p>}
    </Screen>
  );
}

interface DialogsProps {
  readonly keys: readonly KeySummary[];
  readonly issued: (key: IssuedKey) => void;
  readonly changed: () => Promise<void>;
}

/** The dialog that the URL names. */
function Dialogs({ keys, issued, changed }: DialogsProps) {
  const { query, replaceQuery } = useQuery();
  const close = () => replaceQuery({ new: undefined, rotate: undefined, revoke: undefined });
  const keyOf = (name: string) => keys.find((key) => key.keyId === query.get(name) && isWorking(key));
  const [rotating, revoking] = [keyOf('rotate'), keyOf('revoke')];
  async function show(key: IssuedKey) {
    issued(key);
    close();
    await changed();
  }
  return (
    <>
      {query.has('new') && <NewKey close={close} created={show} />}
      {rotating && <RotateKey of={rotating} close={close} rotated={show} />}
      {revoking && <RevokeKey of={revoking} close={close} revoked={changed} />}
    </>
  );
}

function isWorking(key: KeySummary): boolean {
  const state = keyStateOf(key, Date.now());
  return state === 'active' || state === 'expiring';
}

function Issued({ name, apiKey }: IssuedKey) {
  return (
    <section class="panel" aria-label="New key">
      <SecretOnce label={`API key “${name}”`} text={apiKey} />
      <p>
        Keep it where your software keeps its secrets. To try it, put it into <code>KEY</code> and the address of the
        API, which whoever runs this service tells you, into <code>API</code>:
      </p>
      <pre tabIndex={0} aria-label="Command to try the key">
        {'curl "$API/api/practice/sessions?limit=1" -H "Authorization: Bearer $KEY"'}
      </pre>
    </section>
  );
}
