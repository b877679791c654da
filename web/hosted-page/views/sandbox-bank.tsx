import type { TargetedSubmitEvent } from 'preact';
import { sandboxBankTexts, texts } from '../language.ts';
import { AmountToPay } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { TimeWarning } from '../parts/time-left.tsx';
import type { ViewProps } from '../view-of.ts';

export const sandboxBanks = [
  { step: 'sandbox_bank', name: 'Sandbox Bank' },
  { step: 'unavailable_bank', name: 'Unavailable Bank' },
] as const;

export function ChooseBank({ page, actions }: ViewProps) {
  return (
    <>
      <h1 tabIndex={-1}>{sandboxBankTexts.chooseHeading}</h1>
      <AmountToPay session={page.session} />
      <p class="test-only">{sandboxBankTexts.testOnly}</p>
      <Notice name={page.notice} />
      <TimeWarning page={page} actions={actions} />
      {sandboxBanks.map(({ step, name }) => (
        <button type="button" class="secondary" key={step} onClick={() => actions.goToBankStep(step)}>
          {name}
        </button>
      ))}
      <button type="button" class="plain" onClick={actions.leaveBankStep}>
        {sandboxBankTexts.back}
      </button>
    </>
  );
}

/** Keeps password managers from filling these in or offering to save them. */
const unsaved = {
  autocomplete: 'off',
  autocapitalize: 'none',
  spellcheck: false,
  'data-1p-ignore': 'true',
  'data-bwignore': 'true',
  'data-lpignore': 'true',
} as const;

export function BankSignIn({ page, actions }: ViewProps) {
  const { session, bankStep, busy, notice } = page;
  const { step: bank, name } = sandboxBanks.find(({ step }) => step === bankStep) ?? sandboxBanks[0];

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    await actions.connectBank({
      bank,
      username: textOf(typed.get('test-user')).trim(),
      password: textOf(typed.get('test-word')),
    });
    const password = form.querySelector<HTMLInputElement>('#test-word');
    if (!password) return;
    password.value = '';
    password.focus();
  }

  const refused = notice === 'bank_connection_failed';
  const field = {
    ...unsaved,
    required: true,
    readOnly: busy,
    'aria-describedby': 'sign-in-notice',
    'aria-invalid': refused,
  } as const;
  return (
    <>
      <h1 tabIndex={-1}>{sandboxBankTexts.signInHeading(name)}</h1>
      <AmountToPay session={session}>{sandboxBankTexts.why}</AmountToPay>
      <p class="test-only">{sandboxBankTexts.testOnly}</p>
      <Notice name={notice} id="sign-in-notice">
        {refused && ` ${texts.attemptsLeft(session.bankConnectionAttemptsRemaining)}`}
      </Notice>
      <TimeWarning page={page} actions={actions} />
      <form onSubmit={submit}>
        <label for="test-user">{sandboxBankTexts.user}</label>
        <input id="test-user" name="test-user" maxLength={100} {...field} />
        <label for="test-word">{sandboxBankTexts.password}</label>
        <input id="test-word" name="test-word" maxLength={200} {...field} />
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? sandboxBankTexts.submitting : sandboxBankTexts.submit}
        </button>
        <button type="button" class="plain" onClick={() => actions.goToBankStep('banks')}>
          {sandboxBankTexts.otherBank}
        </button>
      </form>
    </>
  );
}

function textOf(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field : '';
}
