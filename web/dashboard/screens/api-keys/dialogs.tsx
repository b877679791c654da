import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { call } from '../../api.ts';
import { formatDay } from '../../format.ts';
import { CheckboxesField, RadiosField } from '../../parts/choices.tsx';
import { SecretOnce } from '../../parts/copy.tsx';
import { ConfirmDialog, FormDialog, type DialogAbout, type DialogEnds } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice, scopes, scopesByDefault, scopeWords } from '../../practice.ts';
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
        options={scopes.map((scope) => ({ value: scope, ...scopeWords[scope] }))}
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
}

export function Issued({ name, apiKey }: IssuedKey) {
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
    sent: (issued) => void done({ keyId: issued.keyId, name, apiKey: issued.apiKey }),
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

/** Within a week. */
function isRecent(date: string): boolean {
  return Date.now() - Date.parse(date) < 7 * 86_400_000;
}
