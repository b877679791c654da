import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { call } from '../../api.ts';
import { formatDay } from '../../format.ts';
import { CheckboxesField, RadiosField } from '../../parts/choices.tsx';
import { SecretOnce } from '../../parts/copy.tsx';
import { ConfirmDialog, FormDialog, type DialogAbout, type DialogEnds } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Time } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice, scopesByDefault, scopesFor, scopeWords } from '../../practice.ts';
import { useForm } from '../../use-form.ts';

export function NewKey({ close, done }: DialogEnds<IssuedKey>) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'new-key',
    initial: { name: '', scopes: scopesByDefault, expiresInDays: '' },
    check: ({ name, scopes: chosen }) => ({
      ...(name.trim() === '' && { name: 'Enter a name, such as the program that uses the key.' }),
      ...(chosen.length === 0 && { scopes: 'Choose what the key may do.' }),
    }),
    send: ({ name, scopes: chosen, expiresInDays }) =>
      call('createKey', {
        params: { practiceId },
        body: {
          name: name.trim(),
          scopes: [...chosen],
          ...(expiresInDays !== '' && { expiresInDays: Number(expiresInDays) }),
        },
      }),
    sent: ({ keyId, apiKey }) => void done({ keyId, name: form.values.name.trim(), apiKey }),
  });
  return (
    <FormDialog title="Create an API key" form={form} action="Create key" close={close}>
      <TextField
        field={form.field('name')}
        label="Name"
        hint="The program that will use it, such as “Billing system”."
        maxLength={200}
      />
      <CheckboxesField
        field={form.field('scopes')}
        label="What it may do"
        options={scopesFor(practiceId).map((scope) => ({ value: scope, ...scopeWords[scope] }))}
      />
      <SelectField
        field={form.field('expiresInDays')}
        label="Expires"
        options={[
          { value: '', label: 'Never' },
          { value: '30', label: 'In 30 days' },
          { value: '90', label: 'In 90 days' },
          { value: '365', label: 'In a year' },
        ]}
      />
    </FormDialog>
  );
}

export interface IssuedKey {
  readonly keyId: string;
  readonly name: string;
  readonly apiKey: string;
  /** Present if it replaces another key: when that one ends. */
  readonly previousKeyExpiresAt?: string;
}

export function Issued({ name, apiKey, previousKeyExpiresAt }: IssuedKey) {
  return (
    <section class="panel" aria-label="New key">
      <SecretOnce label={`API key “${name}”`} text={apiKey} />
      {previousKeyExpiresAt !== undefined &&
        (Date.parse(previousKeyExpiresAt) > Date.now() ? (
          <p>
            The old key works until{' '}
            <strong>
              <Time at={previousKeyExpiresAt} as="time with zone" />
            </strong>
            . Your software needs the new one by then.
          </p>
        ) : (
          <p>
            <strong>The old key no longer works.</strong> Your software is refused until it has the new one.
          </p>
        ))}
      <p>
        Send it to the developer or vendor who runs your practice’s software, in a way that only they can read: a
        password manager’s shared item, or an encrypted message. Not by ordinary email or text message, and not in a
        ticket.
      </p>
      <p class="quiet">
        For developers:{' '}
        <a href="/docs/" target="_blank" rel="noreferrer">
          how to try a key
        </a>
      </p>
    </section>
  );
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

const byDefault: { readonly end: (typeof rotationEnds)[number]['value'] } = { end: '24h' };

export function RotateKey({ of: { keyId, name }, close, done }: DialogAbout<KeySummary, IssuedKey>) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: `rotate-${keyId}`,
    initial: byDefault,
    send: ({ end }) =>
      call('rotateKey', {
        params: { practiceId, keyId },
        body: { end },
      }),
    sent: ({ keyId: newKeyId, apiKey, previousKeyExpiresAt }) =>
      void done({ keyId: newKeyId, name, apiKey, previousKeyExpiresAt }),
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

export function RevokeKey({ of: { keyId, name, lastUsedOn }, close, done }: DialogAbout<KeySummary>) {
  const { practiceId } = usePractice();
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      action="Revoke key"
      danger
      close={close}
      route="revokeKey"
      act={() => call('revokeKey', { params: { practiceId, keyId } })}
      said={`“${name}” no longer works.`}
      done={() => done()}
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

function isRecent(date: string): boolean {
  return Date.now() - Date.parse(date) < 7 * 86_400_000;
}
