/** What Cognito's managed login shows, as far as the local stand-in needs it. */

export function signInPage({ email, failed }: { email: string; failed: boolean }): string {
  const invalid = failed ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return page(
    'Sign in',
    `<p>to the practice dashboard</p>
      ${failed ? '<p id="problem" role="alert">The email address or the password is wrong.</p>' : ''}
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

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} - Practice dashboard</title>
    <style>
      :root { color-scheme: light; --ink: #17202e; --quiet: #526070; --line: #dde2e9; --field: #77849a; --paper: #fff; --ground: #f5f6f8; --accent: #1f4fd1; --on-accent: #fff; --bad: #b0231b; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
      @media (prefers-color-scheme: dark) {
        :root { color-scheme: dark; --ink: #e8ecf2; --quiet: #a7b3c2; --line: #2f3947; --field: #7d8a9c; --paper: #19202b; --ground: #0f141b; --accent: #8fb1ff; --on-accent: #0d1526; --bad: #ff9189; }
      }
      * { box-sizing: border-box; }
      body { display: grid; gap: 1rem; align-content: start; justify-items: center; margin: 0; padding: max(1rem, 10vh) 1rem 1rem; }
      main, footer { width: min(24rem, 100%); }
      main { display: grid; gap: 1rem; padding: 1.75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--paper); }
      h1, p { margin: 0; }
      h1 { font-size: 1.5rem; line-height: 1.2; }
      h1 + p, footer { color: var(--quiet); }
      [role=alert] { padding-left: .75rem; border-left: 4px solid var(--bad); }
      label { display: block; font-weight: 600; }
      input, button { display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border-radius: .5rem; font: inherit; }
      input { margin: .25rem 0 1rem; border: 1px solid var(--field); background: var(--paper); color: inherit; }
      button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
      :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
      footer { padding: 0 1.75rem; font-size: .875rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
    <footer>This page stands in for Cognito on this machine. <code>npm start</code> printed the users.</footer>
  </body>
</html>
`;
}

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
