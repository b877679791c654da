import { useState } from 'preact/hooks';
import type { CreatedSession } from '../../../../functions/contract/sessions/create-session.ts';
import { call } from '../../api.ts';
import { amountError, centsOf } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { FormFrame } from '../../parts/dialog.tsx';
import { SelectField, TextField, type Option } from '../../parts/field.tsx';
import { NotYet } from '../../parts/notice.tsx';
import { languageOptions, type Language } from '../../patient-words.ts';
import { usePractice, useSettings } from '../../practice.ts';
import type { Patient } from '../../session-words.ts';
import { useForm, useIdempotencyKey, type Field } from '../../use-form.ts';
import { InvoiceLinks } from './invoice-links.tsx';

const languages: readonly Option<Language | ''>[] = [
  { value: '', label: "As in the patient's browser" },
  ...languageOptions,
];

export interface Created extends CreatedSession {
  readonly invoiceId: string;
  readonly patient: Patient;
}

/** The API's limits. */
const leastCents = { sandbox: 1, live: 50 };
const mostCents = 99_999_999;

type Values = {
  readonly invoiceId: string;
  readonly amount: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Language | '';
  readonly metadata: readonly string[];
};

export const empty: Values = { invoiceId: '', amount: '', firstName: '', lastName: '', locale: '', metadata: [] };

interface CreateFormProps {
  readonly initial: Values;
  readonly created: (session: Created) => void;
}

export function CreateForm({ initial, created }: CreateFormProps) {
  const { practiceId, mode } = usePractice();
  const { settings } = useSettings();
  const keyOf = useIdempotencyKey();
  const form = useForm({
    name: 'payment-link',
    initial,
    neverKept: () => ['firstName', 'lastName'],
    check: ({ invoiceId, amount, firstName, lastName, metadata }) => ({
      invoiceId: invoiceId.trim() === '' ? 'Enter the invoice number' : undefined,
      amount: amountError(amount, leastCents[mode], mostCents),
      firstName: firstName.trim() === '' ? 'Enter the first name, or - if there is none' : undefined,
      lastName: lastName.trim() === '' ? 'Enter the last name, or - if there is none' : undefined,
      metadata: metadataError(metadata),
    }),
    async send(values) {
      const invoiceId = values.invoiceId.trim();
      const patient = { firstName: values.firstName.trim(), lastName: values.lastName.trim() };
      const metadata = metadataOf(values.metadata);
      const body = {
        invoiceId,
        amountCents: centsOf(values.amount) ?? 0,
        patient,
        ...(values.locale !== '' && { locale: values.locale }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      };
      const answer = await call('createSession', { params: { practiceId }, body, idempotencyKey: keyOf(body) });
      return answer.ok ? { ok: true, value: { ...answer.value, invoiceId, patient } } : answer;
    },
    sent: created,
    fieldOf: (pointer) => (pointer === '/amountCents' ? 'amount' : undefined),
  });
  return (
    <section class="panel">
      <FormFrame form={form}>
        <TextField field={form.field('invoiceId')} label="Invoice number" width="middle" />
        <InvoiceLinks invoiceId={form.values.invoiceId.trim()} />
        <TextField field={form.field('amount')} label="Amount" prefix="$" width="short" inputMode="decimal" />
        <div class="patient-name">
          <TextField field={form.field('firstName')} label="Patient's first name" />
          <TextField field={form.field('lastName')} label="Last name" hint="Type - for a person with one name." />
        </div>
        <SelectField
          field={form.field('locale')}
          label="Language of the page"
          hint="Patients can switch."
          options={languages}
        />
        <MetadataFields field={form.field('metadata')} />
        <p class="quiet">
          The link works for {settings.linkLifetimeDays === 1 ? 'one day' : `${settings.linkLifetimeDays} days`}.
          Patients see the practice, their name, the invoice number and the amount. Do not put health information into
          any field.
        </p>
        {form.interrupted && (
          <NotYet>
            Not saved yet.
            {form.values.firstName === '' && ' Enter the patient’s name again: the browser does not keep it.'} Press
            “Create payment link”.
          </NotYet>
        )}
        <div class="actions">
          <Button type="submit" kind="primary" busy={form.busy}>
            Create payment link
          </Button>
        </div>
      </FormFrame>
    </section>
  );
}

/** Alternating names and values: name, value, name, value. */
type Entries = readonly string[];

/** The API's limit. */
const mostEntries = 16;

/** Leaves out fields with neither name nor value. */
function metadataOf(entries: Entries): Record<string, string> {
  return Object.fromEntries(pairsOf(entries).filter(([name, value]) => name !== '' || value !== ''));
}

function metadataError(entries: Entries): string | undefined {
  const names = pairsOf(entries).flatMap(([name]) => (name === '' ? [] : [name]));
  return new Set(names).size < names.length ? 'Use each name only once' : undefined;
}

function pairsOf(entries: Entries): [name: string, value: string][] {
  return entries.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.trim(), (entries[index + 1] ?? '').trim()]] : [],
  );
}

function MetadataFields({ field }: { readonly field: Field<Entries> }) {
  const { id, value: entries, set, error } = field;
  const rows = entries.length / 2;
  const [isOpen, setOpen] = useState(rows > 0);
  const input = (index: number, label: string) => (
    <input
      type="text"
      id={index === 0 ? id : undefined}
      value={entries[index]}
      aria-label={`${label} ${Math.floor(index / 2) + 1}`}
      placeholder={label}
      autoComplete="off"
      aria-invalid={error !== undefined}
      aria-describedby={`${id}-hint`}
      onInput={({ currentTarget: { value } }) => set(entries.map((each, at) => (at === index ? value : each)))}
    />
  );
  return (
    <details open={isOpen || error !== undefined} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>For your software (optional)</summary>
      <fieldset class={error === undefined ? 'field' : 'field with-error'}>
        <legend class="hidden">For your software</legend>
        <p class="hint" id={`${id}-hint`}>
          Names with values, such as a location. Your software and exports get them; patients never see them.
        </p>
        {error !== undefined && <p class="error">{error}</p>}
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} class="metadata-row">
            {input(row * 2, 'Name')}
            {input(row * 2 + 1, 'Value')}
            <Button
              kind="plain"
              aria-label={`Remove name and value ${row + 1}`}
              onClick={() => set(entries.filter((_each, index) => Math.floor(index / 2) !== row))}
            >
              Remove
            </Button>
          </div>
        ))}
        {rows < mostEntries && (
          <div>
            <Button onClick={() => set([...entries, '', ''])}>Add a name and value</Button>
          </div>
        )}
      </fieldset>
    </details>
  );
}
