import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { formatDollars } from '../format.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { PaymentLink } from '../parts/payment-link.tsx';
import { Panel, Screen, Loaded } from '../parts/screen.tsx';
import { Time } from '../parts/facts.tsx';
import { allows, usePractice, useSettings, type LinkStep } from '../practice.ts';
import { blockWords, fullName } from '../session-words.ts';
import { useAnswer } from '../use-answer.ts';
import { backToPayments, useQuery } from '../use-query.ts';
import { CreateForm, empty, type Created } from './new-payment-link/create-form.tsx';

export function NewPaymentLink() {
  const { practiceId, role } = usePractice();
  const { settings } = useSettings();
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

const words: Readonly<Record<LinkStep, string>> = {
  terms: 'Accept the terms',
  deposit: 'Set up where payments are deposited',
  contact: 'Tell patients how to reach you',
  branding: 'Choose your logo or color',
};

/** What to do before the first live payment link, instead of a form that would be refused. */
function NotReady() {
  const { practiceId, role } = usePractice();
  const { settings, reloadSettings } = useSettings();
  // The steps are done on another screen, at Stripe or by a colleague.
  useEffect(() => void reloadSettings(), []);
  return (
    <Notice kind="info" title="Before the first payment link">
      <p>{allows(role, 'admin') ? 'These steps are left:' : 'An admin of your practice has these steps left to do:'}</p>
      <ul>
        {settings.missingForLinks.map((step) => (
          <li key={step}>
            {allows(role, 'admin') ? <a href={`/${practiceId}/settings/practice`}>{words[step]}</a> : words[step]}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
