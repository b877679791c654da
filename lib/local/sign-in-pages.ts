import { htmlPage } from './http-server.ts';

/** What Cognito's managed login shows, as far as the local stand-in needs it. */

export function signInPage({ email, failed }: { email: string; failed: boolean }): string {
  const invalid = failed ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return page(
    'Sign in',
    `${failed ? '<p id="problem" role="alert">The email address or the password is wrong.</p>' : ''}
      <form method="post">
        <label for="email">Email address</label>
        <input id="email" name="email" type="email" autocomplete="username" required${invalid} value="${escapeHtml(email)}"${email ? '' : ' autofocus'}>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required${invalid}${email ? ' autofocus' : ''}>
        <button>Sign in</button>
      </form>`,
  );
}

/** Cognito asks nothing before it signs out. */
export function signOutPage(form: string): string {
  return page(
    'Signing out…',
    `${form}
      <button form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <script>document.querySelector('button').click()</script>`,
  );
}

export function signedOutPage(): string {
  return page('You are signed out', '<p>You can close this window.</p>');
}

export function errorPage(words: string): string {
  return page('This did not work', `<p role="alert">${escapeHtml(words)}</p>`);
}

const style = `
  :root {
    color-scheme: light dark;
    --ink: light-dark(#17202e, #e8ecf2);
    --quiet: light-dark(#526070, #a7b3c2);
    --line: light-dark(#dde2e9, #2f3947);
    --field: light-dark(#77849a, #7d8a9c);
    --paper: light-dark(#ffffff, #19202b);
    --accent: light-dark(#1f4fd1, #8fb1ff);
    --on-accent: light-dark(#ffffff, #0d1526);
    --bad: light-dark(#b0231b, #ff9189);
    font: 1rem/1.5 system-ui, sans-serif;
    color: var(--ink);
    background: light-dark(#f5f6f8, #0f141b);
  }
  * { box-sizing: border-box; }
  body { display: grid; gap: 1rem; justify-items: center; margin: 0; padding: max(1rem, 10vh) 1rem 1rem; }
  main, footer { width: min(24rem, 100%); padding: 0 1.75rem; }
  main { padding-block: 1.75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--paper); }
  h1, p { margin: 0 0 1rem; }
  h1 { font-size: 1.5rem; line-height: 1.2; }
  .name { margin: 0; font-weight: 600; }
  .name, footer { color: var(--quiet); }
  [role=alert] { padding-left: .75rem; border-left: 4px solid var(--bad); }
  label { font-weight: 600; }
  input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border-radius: .5rem; font: inherit; }
  input { margin: .25rem 0 1rem; border: 1px solid var(--field); background: var(--paper); color: inherit; }
  button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  footer { font-size: .875rem; }
`;

function page(title: string, content: string): string {
  return htmlPage(
    `${title} - Practice dashboard`,
    style,
    `<main>
    <p class="name">Practice dashboard</p>
    <h1>${title}</h1>
    ${content}
  </main>
  <footer>This page stands in for Cognito on this machine. <code>npm start</code> printed the users.</footer>`,
  );
}

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
