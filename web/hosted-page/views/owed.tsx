import { Facts } from '../parts/facts.tsx';
import { Notice, SilentPicker } from '../parts/notice.tsx';
import { TimeLeft, TimeWarning } from '../parts/time-left.tsx';
import {
  bankPickerTexts,
  sandboxBankTexts,
  texts,
  formatAmount,
  formatPatient,
  nameSize,
  practiceName,
} from '../language.ts';
import type { ViewProps } from '../view-of.ts';

const steps = (amount: string) => [
  builtForMode === 'live' ? bankPickerTexts.step : sandboxBankTexts.step,
  ...texts.owed.steps(amount),
];

export function Owed({ page, actions }: ViewProps) {
  const { session, busy, notice } = page;
  const amount = formatAmount(session);
  const isSilent = notice === 'picker_silent';
  return (
    <>
      <h1 tabIndex={-1} class="amount-due">
        <span class={nameSize(session.practice.name, 80)}>{texts.owed.heading(practiceName(session))}</span>{' '}
        <span class={amount.length > 9 ? 'amount long' : 'amount'}>{amount}</span>
      </h1>
      <Facts
        facts={[
          [texts.owed.invoice, session.invoiceId],
          [texts.owed.patient, session.patient && formatPatient(session.patient)],
        ]}
      />
      <Notice name={notice}>
        {notice === 'bank_connection_failed' && ` ${texts.attemptsLeft(session.bankConnectionAttemptsRemaining)}`}
      </Notice>
      <TimeWarning page={page} actions={actions} />
      <button type="button" class="primary" aria-disabled={busy} onClick={actions.startBankStep}>
        {builtForMode === 'live' && isSilent ? texts.unreachable.retry : texts.owed.connect}
      </button>
      {builtForMode === 'live' && isSilent && <SilentPicker />}
      {builtForMode === 'live' && <p class="hint">{bankPickerTexts.about}</p>}
      <p class="hint">
        {texts.owed.how} {texts.owed.next}
      </p>
      <p class="check">
        <strong>{texts.contact.real}</strong> {texts.contact.check}
      </p>
      <TimeLeft session={session} />
      <section class="steps" aria-labelledby="steps-heading">
        <h2 id="steps-heading">{texts.owed.stepsHeading}</h2>
        <ol>
          {steps(amount).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </>
  );
}
