import { call } from '../../api.ts';
import { CheckboxesField } from '../../parts/choices.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { scopes, scopesByDefault, scopeWords } from '../../role-words.ts';
import { useForm } from '../../use-form.ts';
import { SecretOnce } from '../../parts/copy.tsx';

interface NewKeyProps {
  readonly close: () => void;
  readonly created: (key: IssuedKey) => Promise<void>;
}

const checkedScopes: readonly string[] = scopesByDefault;

export function NewKey({ close, created }: NewKeyProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'new-key',
    initial: { name: '', scopes: checkedScopes, expiresInDays: '' },
    check: ({ name, scopes: chosen }) => ({
      ...(name.trim() === '' && { name: 'Enter a name, such as the program that uses the key.' }),
      ...(chosen.length === 0 && { scopes: 'Choose what the key may do.' }),
    }),
    send: ({ name, scopes: chosen, expiresInDays }) =>
      call('createKey', {
        params: { practiceId },
        body: {
          name: name.trim(),
          scopes: scopes.filter((scope) => chosen.includes(scope)),
          ...(expiresInDays !== '' && { expiresInDays: Number(expiresInDays) }),
        },
      }),
    sent: ({ keyId, apiKey }) => void created({ keyId, name: form.values.name.trim(), apiKey }),
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
