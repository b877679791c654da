import type { TargetedSubmitEvent } from 'preact';
import { Notice } from '../parts/notice.tsx';
import type { NoticeName } from '../payment-page.ts';
import { texts } from '../texts.ts';
import type { ViewProps } from '../view-of.ts';

/** The sandbox bank's sign-in. What is typed lives in the form alone and is gone from it once the bank has answered. */
export function BankSignIn({ page: { session, busy, notice }, actions }: ViewProps) {
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    await actions.connectBank({ username: String(typed.get('username')).trim(), password: String(typed.get('password')) });
    form.reset();
  }

  return (
    <>
      <h1 tabIndex={-1}>{texts.signIn.heading}</h1>
      <p class="hint">{texts.signIn.why(session.practice.name)}</p>
      {session.sandbox && <p class="test-only">{texts.signIn.testOnly}</p>}
      <Notice text={notice && signInNotice(notice, session.bankConnectionAttemptsRemaining)} />
      <form onSubmit={submit}>
        <label for="username">{texts.signIn.username}</label>
        <input id="username" name="username" required maxLength={100} readOnly={busy} autocomplete="off" autocapitalize="none" spellcheck={false} />
        <label for="password">{texts.signIn.password}</label>
        <input id="password" name="password" type="password" required maxLength={200} readOnly={busy} autocomplete="off" />
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? texts.signIn.submitting : texts.signIn.submit}
        </button>
        <button type="button" class="plain" onClick={actions.leaveSignIn}>
          {texts.signIn.back}
        </button>
      </form>
      <p class="hint">{texts.signIn.privacy}</p>
    </>
  );
}

function signInNotice(notice: NoticeName, attemptsRemaining: number): string {
  return notice === 'bank_connection_failed' ? `${texts.notice(notice)} ${texts.attemptsLeft(attemptsRemaining)}` : texts.notice(notice);
}
