import type { TargetedSubmitEvent } from 'preact';
import { Notice } from '../parts/notice.tsx';
import { TimeWarning } from '../parts/time-left.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function BankSignIn({ page: { session, busy, notice }, actions }: ViewProps) {
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    await actions.connectBank({
      username: textOf(typed.get('username')).trim(),
      password: textOf(typed.get('password')),
    });
    const password = form.querySelector<HTMLInputElement>('#password');
    if (!password) return;
    password.value = '';
    password.focus();
  }

  const refused = notice === 'bank_connection_failed';
  // WCAG 1.3.5 wants autocomplete. Browsers save logins per site, so they offer no real bank's here.
  const field = {
    required: true,
    readOnly: busy,
    'aria-describedby': 'sign-in-notice',
    'aria-invalid': refused,
  } as const;
  return (
    <>
      <h1 tabIndex={-1}>{texts.signIn.heading}</h1>
      <p class="hint">{texts.signIn.why(practiceName(session))}</p>
      {session.sandbox && <p class="test-only">{texts.signIn.testOnly}</p>}
      <Notice name={notice} id="sign-in-notice">
        {refused && ` ${texts.attemptsLeft(session.bankConnectionAttemptsRemaining)}`}
      </Notice>
      <TimeWarning session={session} />
      <form onSubmit={submit}>
        <label for="username">{texts.signIn.username}</label>
        <input
          id="username"
          name="username"
          maxLength={100}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          {...field}
        />
        <label for="password">{texts.signIn.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          maxLength={200}
          autocomplete="current-password"
          {...field}
        />
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? texts.signIn.submitting : texts.signIn.submit}
        </button>
        <button type="button" class="plain" onClick={actions.leaveSignIn}>
          {texts.signIn.back}
        </button>
      </form>
    </>
  );
}

function textOf(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field : '';
}
