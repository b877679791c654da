export function signInPage({ email, failed }: { email: string; failed: boolean }): string {
  const invalid = failed ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign in (local)</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      main { max-width: 22rem; margin: 10vh auto; padding: 0 1rem; }
      label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
      input { margin: .25rem 0 1rem; padding: .5rem; }
      button { padding: .6rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Sign in</h1>
      <p>This page stands in for your identity provider on this machine. <code>npm start</code> printed the users.</p>
      ${failed ? '<p id="problem" role="alert">The email address or the password is wrong.</p>' : ''}
      <form method="post">
        <label for="email">Email address</label>
        <input id="email" name="email" type="email" autocomplete="username" required${invalid} value="${escapeHtml(email)}"${email ? '' : ' autofocus'}>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required${invalid}${email ? ' autofocus' : ''}>
        <button>Sign in</button>
      </form>
    </main>
  </body>
</html>
`;
}

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
