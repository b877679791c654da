import { useState } from 'preact/hooks';
import type { KeySummary } from '../../../functions/contract/practices/dashboard-keys.ts';
import { EndedKeys, WorkingKeys } from './api-keys/tables.tsx';
import { keyStateOf } from '../key-state.ts';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { Issued, NewKey, type IssuedKey } from './api-keys/new-key.tsx';
import { RevokeKey, RotateKey } from './api-keys/rotate-and-revoke.tsx';

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
            {isAdmin && (
              <Dialogs
                keys={keys}
                changed={answer.reload}
                issued={setIssued}
                revoked={(keyId) => setIssued((last) => (last?.keyId === keyId ? undefined : last))}
              />
            )}
          </>
        )}
      </Loaded>
      {!isAdmin && <p class="quiet">Only admins create, rotate and revoke keys.</p>}
    </Screen>
  );
}

interface DialogsProps {
  readonly keys: readonly KeySummary[];
  readonly changed: () => Promise<void>;
  readonly issued: (key: IssuedKey) => void;
  readonly revoked: (keyId: string) => void;
}

/** The dialog that the URL names. */
function Dialogs({ keys, changed, issued, revoked }: DialogsProps) {
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
      {revoking && (
        <RevokeKey
          of={revoking}
          close={close}
          revoked={() => {
            revoked(revoking.keyId);
            return changed();
          }}
        />
      )}
    </>
  );
}

function isWorking(key: KeySummary): boolean {
  const state = keyStateOf(key, Date.now());
  return state === 'active' || state === 'expiring';
}
