import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { htmlPage } from '../http-server.ts';
import { setBankAccount, updateRequirements } from './accounts.ts';
import { testBanks, findConnection, connectTestBank, type Picking } from './connections.ts';
import type { Ledger } from './ledger.ts';

interface Options {
  readonly ledger: Ledger;
  readonly apiBase: string;
  readonly pageOrigin: string;
}

const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action *",
  'cache-control': 'no-store',
};

/** Serves the bank picker's script, the picker itself and the accounts' onboarding. */
export function createPages({ ledger, apiBase, pageOrigin }: Options) {
  const { state } = ledger;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://stripe');
    const [, page, ...rest] = url.pathname.split('/');
    const isPost = request.method === 'POST';
    const form = new URLSearchParams(isPost ? await textOf(request) : '');
    if (page === 'v3') {
      const headers = { 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' };
      response.writeHead(200, headers).end(pickerScript({ apiBase, pageOrigin }));
    } else if (page === 'picker') servePicker(rest[0] ?? '', isPost ? (form.get('bank') ?? '') : undefined, response);
    else if (page === 'setup') serveSetup(rest, isPost ? form : undefined, response);
    else response.writeHead(404).end();
    if (isPost) state.save();
  };

  function servePicker(secret: string, bank: string | undefined, response: ServerResponse): void {
    if (!findConnection(state, secret))
      return void response.writeHead(404, html).end('This bank connection is unknown.');
    const picking = bank === undefined ? undefined : connectTestBank(ledger, secret, bank);
    response.writeHead(200, html).end(pickerPage(picking));
  }

  function serveSetup(
    [accountId = '', linkId = '']: string[],
    form: URLSearchParams | undefined,
    response: ServerResponse,
  ): void {
    const link = state.accountLinks.find('', linkId);
    if (link === undefined || link.account !== accountId) return void response.writeHead(404).end();
    if (form === undefined) {
      if (link.used || link.expires_at < state.seconds()) return redirect(response, link.refresh_url);
      state.accountLinks.change('', linkId, { used: true });
      return void response.writeHead(200, html).end(setupPage(accountId));
    }
    const last4 = form.get('bank');
    if (last4) setBankAccount(ledger, accountId, last4);
    if (form.get('finish') === 'yes' || last4) updateRequirements(ledger, accountId);
    else if (form.get('finish') === 'partly') updateRequirements(ledger, accountId, { due: ['external_account'] });
    redirect(response, link.return_url);
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0; padding: 1rem; }
  main { max-width: 26rem; margin: 0 auto; }
  h1 { font-size: 1.25rem; }
  label { display: block; padding: .35rem 0; }
  button { font: inherit; padding: .5rem 1rem; margin: .75rem .5rem 0 0; }
  small { opacity: .8; }`;

function page(title: string, content: string): string {
  return htmlPage(title, style, `<main>${content}</main>`);
}

/** Tells the page around it when the patient is done: 'connected', 'closed' or 'silent'. */
function pickerPage(picking: Picking | undefined): string {
  const tell = (what: string) => `parent.postMessage({standIn: '${what}'}, '*')`;
  if (picking === 'connected') return page('Connected', `<p>Connected.</p><script>${tell('connected')}</script>`);
  if (picking === 'silent') return page('Silent', `<script>${tell('silent')}</script>`);
  const choices = Object.entries(testBanks).map(
    ([id, { name, does }], index) =>
      `<label><input type="radio" name="bank" value="${id}" required${index === 0 ? ' checked' : ''}> ${name} <small>${does}</small></label>`,
  );
  return page(
    'Choose a bank',
    `<h1>Choose a test bank</h1>
    <p>This stands in for Stripe on this machine. No bank is asked and no money moves.</p>
    ${picking === 'bank_down' ? '<p role="alert">This bank does not answer now. Choose another bank, or try again later.</p>' : ''}
    <form method="post"><fieldset><legend>Bank</legend>${choices.join('\n')}</fieldset>
    <button>Connect</button><button type="button" id="close">Close</button></form>
    <script>
      // Browsers ignore autofocus in a cross-origin frame.
      const focus = () => document.querySelector('input').focus();
      if (document.hasFocus()) focus();
      else addEventListener('focus', focus, { once: true });
      const close = () => ${tell('closed')};
      document.getElementById('close').addEventListener('click', close);
      addEventListener('keydown', ({ key }) => { if (key === 'Escape') close(); });
    </script>`,
  );
}

function setupPage(accountId: string): string {
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

/** The part of Stripe.js that connects a bank, in place of https://js.stripe.com. */
function pickerScript(settings: { apiBase: string; pageOrigin: string }): string {
  return `(${stripeScript.toString()})(${JSON.stringify(settings)});\n`;
}

/** Runs in the browser, so it must not refer to anything outside. */
function stripeScript({ apiBase, pageOrigin }: { apiBase: string; pageOrigin: string }): void {
  interface Result {
    readonly error?: unknown;
    readonly financialConnectionsSession?: unknown;
  }

  async function read(clientSecret: string, key: string, account: string | undefined): Promise<Result> {
    const response = await fetch(`${apiBase}/stripe_js/connection`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: clientSecret, key, account: account ?? '' }),
    });
    return response.json();
  }

  function pick(clientSecret: string): Promise<void> {
    const dialog = document.createElement('dialog');
    const frame = document.createElement('iframe');
    frame.title = 'Choose a bank (stand-in for Stripe)';
    frame.src = `${pageOrigin}/picker/${clientSecret}`;
    Object.assign(frame.style, { border: '0', width: '100%', height: '100%' });
    Object.assign(dialog.style, { width: 'min(28rem, 100%)', height: 'min(40rem, 100%)', padding: '0' });
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
    frame.addEventListener('load', () => frame.focus());
    return new Promise((resolve) => {
      const finish = () => {
        removeEventListener('message', hear);
        dialog.remove();
        resolve();
      };
      const hear = ({ source, data }: MessageEvent) => {
        if (source !== frame.contentWindow || !data?.standIn) return;
        // Behaves as if Stripe's script had hung.
        if (data.standIn === 'silent') dialog.remove();
        else finish();
      };
      addEventListener('message', hear);
      dialog.addEventListener('cancel', finish);
    });
  }

  Object.assign(globalThis, {
    Stripe: (key: string, { stripeAccount }: { stripeAccount?: string } = {}) => ({
      async collectFinancialConnectionsAccounts({ clientSecret }: { clientSecret: string }): Promise<Result> {
        const before = await read(clientSecret, key, stripeAccount);
        if (before.error) return before;
        await pick(clientSecret);
        return read(clientSecret, key, stripeAccount);
      },
    }),
  });
}
