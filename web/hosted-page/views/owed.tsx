import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { TimeLeft, TimeWarning } from '../parts/time-left.tsx';
import { formatAmount, formatPatient, nameSize, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Owed({ page: { session, notice }, actions }: ViewProps) {
  const amount = formatAmount(session);
  return (
    <>
      <h1 tabIndex={-1} class="amount-due">
        <span class={nameSize(session.practice.name)}>{texts.owed.heading(practiceName(session))}</span>{' '}
        <span class={amount.length > 9 ? 'amount long' : 'amount'}>{amount}</span>
      </h1>
      <Facts
        facts={[
          [texts.owed.invoice, session.invoiceId],
          [texts.owed.patient, formatPatient(session.patient)],
        ]}
      />
      <Notice name={notice} />
      <TimeWarning session={session} />
      <button type="button" class="primary" onClick={actions.startBankStep}>
        {texts.owed.connect}
      </button>
      <p class="hint">
        {texts.owed.how} {texts.owed.next}
      </p>
      <TimeLeft session={session} />
      <section class="steps" aria-labelledby="steps-heading">
        <h2 id="steps-heading">{texts.owed.stepsHeading}</h2>
        <ol>
          {texts.owed.steps(amount).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </>
  );
}
