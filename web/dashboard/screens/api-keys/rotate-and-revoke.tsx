import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { call } from '../../api.ts';
import { RadiosField } from '../../parts/choices.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import type { IssuedKey } from './new-key.tsx';
import { formatDay } from '../../format.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';

interface RotateKeyProps {
  readonly of: KeySummary;
  readonly close: () => void;
  readonly rotated: (key: IssuedKey) => Promise<void>;
}

const rotationEnds = [
  { value: '24h', label: 'In 24 hours' },
  { value: '7d', label: 'In 7 days' },
  { value: '1h', label: 'In an hour' },
  {
    value: 'now',
    label: 'Now',
    hint: 'If the key has leaked. Programs that use it stop working until they have the new one.',
  },
] as const;

export function RotateKey({ of: { keyId, name }, close, rotated }: RotateKeyProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: `rotate-${keyId}`,
    initial: { end: '24h' },
    send: ({ end }) =>
      call('rotateKey', {
        params: { practiceId, keyId },
        body: { end: rotationEnds.find(({ value }) => value === end)?.value ?? '24h' },
      }),
    sent: (issued) => void rotated({ keyId: issued.keyId, name, apiKey: issued.apiKey }),
  });
  return (
    <FormDialog
      title={`Rotate “${name}”`}
      lead="You get a new key with the same name and permissions. Both keys work until the old one ends."
      form={form}
      action="Rotate key"
      close={close}
    >
      <RadiosField field={form.field('end')} label="The old key ends" options={rotationEnds} />
    </FormDialog>
  );
}

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
