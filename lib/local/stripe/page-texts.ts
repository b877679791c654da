const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0; padding: 1rem; }
  main { max-width: 26rem; margin: 0 auto; }
  h1 { font-size: 1.25rem; }
  label { display: block; padding: .35rem 0; }
  button { font: inherit; padding: .5rem 1rem; margin: .75rem .5rem 0 0; }
  small { opacity: .8; }`;

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body><main>${content}</main></body>
</html>
`;
}

interface Picker {
  readonly connected: boolean;
  readonly bankDown: boolean;
  readonly banks: readonly { readonly id: string; readonly name: string; readonly does: string }[];
}

/** Tells the page around it when the patient is done: 'connected' or 'closed'. */
export function pickerPage({ connected, bankDown, banks }: Picker): string {
  const tell = (what: string) => `parent.postMessage({standIn: '${what}'}, '*')`;
  if (connected) return page('Connected', `<p>Connected.</p><script>${tell('connected')}</script>`);
  const choices = banks.map(
    ({ id, name, does }, index) =>
      `<label><input type="radio" name="bank" value="${id}" required${index === 0 ? ' checked' : ''}> ${name} <small>${does}</small></label>`,
  );
  return page(
    'Choose a bank',
    `<h1>Choose a test bank</h1>
    <p>This stands in for Stripe on this machine. No bank is asked and no money moves.</p>
    ${bankDown ? '<p role="alert">This bank does not answer now. Choose another bank, or try again later.</p>' : ''}
    <form method="post"><fieldset><legend>Bank</legend>${choices.join('\n')}</fieldset>
    <button>Connect</button><button type="button" id="close">Close</button></form>
    <script>
      // Browsers ignore autofocus in a frame of another origin.
      const focus = () => document.querySelector('input').focus();
      if (document.hasFocus()) focus();
      else addEventListener('focus', focus, { once: true });
      const close = () => ${tell('closed')};
      document.getElementById('close').addEventListener('click', close);
      addEventListener('keydown', ({ key }) => { if (key === 'Escape') close(); });
    </script>`,
  );
}

export function setupPage(accountId: string): string {
  return page(
    'Set up deposits',
    `<h1>Set up deposits</h1>
    <p>This stands in for Stripe on this machine. Account <code>${accountId}</code>.</p>
    <form method="post">
      <button name="finish" value="yes">Finish</button>
      <button name="bank" value="4321">Finish with another bank account</button>
      <button name="bank" value="0000">Finish with a bank account that is closed: payouts fail</button>
      <button name="finish" value="partly">Leave out the bank account</button>
      <button name="finish" value="no">Return without an answer</button>
    </form>`,
  );
}
