import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { call } from '../../api.ts';
import { formatDay } from '../../format.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice } from '../../practice.ts';

interface RevokeKeyProps {
  readonly of: KeySummary;
  readonly close: () => void;
  readonly revoked: () => Promise<void>;
}

export function RevokeKey({ of: { keyId, name, lastUsedOn }, close, revoked }: RevokeKeyProps) {
  const { practiceId } = usePractice();
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      action="Revoke key"
      danger
      close={close}
      act={() => call('revokeKey', { params: { practiceId, keyId } })}
      done={() => {
        announce(`“${name}” no longer works.`);
        close();
        void revoked();
      }}
    >
      <p>
        Requests with key <code>{keyId}</code> are refused from now on. This cannot be undone.
      </p>
      {lastUsedOn === undefined ? (
        <p>It was never used.</p>
      ) : isRecent(lastUsedOn) ? (
        <Notice kind="warning" title={`It was used on ${formatDay(lastUsedOn)}`}>
          <p>A program still uses it. To replace it without an outage, rotate it instead.</p>
        </Notice>
      ) : (
        <p>It was last used on {formatDay(lastUsedOn)}.</p>
      )}
    </ConfirmDialog>
  );
}

/** Within a week. */
function isRecent(date: string): boolean {
  return Date.now() - Date.parse(date) < 7 * 86_400_000;
}
