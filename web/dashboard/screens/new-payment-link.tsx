import { useLayoutEffect, useState } from 'preact/hooks';
import type { CreatedSession } from '../../../functions/contract/sessions/create-session.ts';
import { call } from '../api.ts';
import { centsOf, formatDollars } from '../format.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { SelectField, TextField, type Option } from '../parts/field.tsx';
import { FormFrame } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice, NotYet } from '../parts/notice.tsx';
import { PaymentLink } from '../parts/payment-link.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { Time } from '../parts/facts.tsx';
import { allows, usePractice } from '../practice.ts';
import { languageOptions, type Language } from '../patient-words.ts';
import { blockWords, fullName, type Patient } from '../session-words.ts';
import { useAnswer } from '../use-answer.ts';
import { useForm, useIdempotencyKey } from '../use-form.ts';
import { backToPayments, useQuery } from '../use-query.ts';
import { NotReady } from './new-payment-link/not-ready.tsx';
import { metadataError, MetadataFields, metadataOf } from './new-payment-link/metadata-fields.tsx';

const languages: readonly Option<Language | ''>[] = [
  { value: '', label: "As in the patient's browser" },
  ...languageOptions,
];

interface Created extends CreatedSession {
  readonly invoiceId: string;
  readonly patient: Patient;
}

export function NewPaymentLink() {
  const { practiceId, role, settings } = usePractice();
  const { query, replaceQuery } = useQuery();
  const like = query.get('like');
  const [created, setCreated] = useState<Created>();
  const back = backToPayments(practiceId);
  if (!allows(role, 'staff'))
    return (
      <Screen title="New payment link" back={back}>
        <Notice kind="info">
          <p>Viewers cannot create payment links. Ask an admin for the Staff role.</p>
        </Notice>
      </Screen>
    );
  const another = () => {
    setCreated(undefined);
    replaceQuery({ like: undefined });
  };
  return created ? (
    <Result key="result" created={created} another={another} />
  ) : (
    <Screen
      key="form"
      title="New payment link"
      lead="For one patient and one invoice, paid by one bank debit."
      back={back}
    >
      {settings.missingForLinks.length > 0 ? (
        <NotReady />
      ) : like === null ? (
        <CreateForm initial={empty} created={setCreated} />
      ) : (
        <Prefilled like={like} created={setCreated} />
      )}
    </Screen>
  );
}

interface PrefilledProps {
  /** The ID of the session to take the values from: names must not get into the address. */
  readonly like: string;
  readonly created: (session: Created) => void;
}

function Prefilled({ like, created }: PrefilledProps) {
  const { practiceId } = usePractice();
  const answer = useAnswer('getSession', { params: { practiceId, sessionId: like } });
  return (
    <Loaded of={answer}>
      {({ locale, session: { invoiceId, amountCents, patient, metadata } }) => (
        <CreateForm
          initial={{
            ...empty,
            invoiceId,
            amount: (amountCents / 100).toFixed(2),
            firstName: patient?.firstName ?? '',
            lastName: patient?.lastName ?? '',
            locale: locale ?? '',
            metadata: Object.entries(metadata).flat(),
          }}
          created={created}
        />
      )}
    </Loaded>
  );
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

const empty: Values = { invoiceId: '', amount: '', firstName: '', lastName: '', locale: '', metadata: [] };

interface CreateFormProps {
  readonly initial: Values;
  readonly created: (session: Created) => void;
}

function CreateForm({ initial, created }: CreateFormProps) {
  const { practiceId, settings, mode } = usePractice();
  const keyOf = useIdempotencyKey();
  const form = useForm({
    name: 'payment-link',
    initial,
    neverKept: () => ['firstName', 'lastName'],
    check: ({ invoiceId, amount, firstName, lastName, metadata }) => ({
      invoiceId: invoiceId.trim() === '' ? 'Enter the invoice number' : undefined,
      amount: amountError(amount, leastCents[mode]),
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
        <TextField field={form.field('amount')} label="Amount" prefix="$" width="short" inputMode="decimal" />
        <div class="day-range">
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

function amountError(amount: string, least: number): string | undefined {
  if (amount.trim() === '') return 'Enter the amount';
  const cents = centsOf(amount);
  if (cents === undefined) return 'Enter an amount like 182.50';
  if (cents < least || cents > mostCents)
    return `Enter an amount from ${formatDollars(least)} to ${formatDollars(mostCents)}`;
  return undefined;
}

/** Without `expiresAt`, nobody is told to pay with it. */
function payable({ expiresAt, blockedBy, ...link }: Created) {
  return blockedBy === undefined ? { ...link, expiresAt } : link;
}

function Result({ created, another }: { readonly created: Created; readonly another: () => void }) {
  // The button that led here is far down the form.
  useLayoutEffect(() => scrollTo(0, 0), []);
  const { practiceId } = usePractice();
  return (
    <Screen title="Payment link created" back={backToPayments(practiceId)}>
      <Panel
        title={`${fullName(created.patient)}, ${formatDollars(created.amountCents)}`}
        note={
          <>
            Invoice {created.invoiceId}. The link works until <Time at={created.expiresAt} as="time with zone" />.
          </>
        }
      >
        {created.blockedBy && (
          <Notice kind="warning" title={blockWords[created.blockedBy]}>
            <p>The patient cannot pay with this link, and its page says so.</p>
          </Notice>
        )}
        <PaymentLink {...payable(created)} />
      </Panel>
      <div class="actions">
        <ButtonLink href={`/${practiceId}/sessions/${created.sessionId}`}>See the payment</ButtonLink>
        <Button onClick={another}>Create another</Button>
      </div>
    </Screen>
  );
}
