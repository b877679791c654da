import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setBankAccount, updateRequirements } from './accounts.ts';
import { testBanks } from './banks.ts';
import { findConnection, connectTestBank } from './connections.ts';
import type { Ledger } from './ledger.ts';
import { pickerPage, setupPage } from './page-texts.ts';
import { pickerScript } from './picker-script.ts';

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

/** Serves the script of the bank picker, the picker itself and the onboarding of accounts. */
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
    const connected = bank !== undefined && connectTestBank(ledger, secret, bank);
    const bankDown = bank !== undefined && !connected;
    response.writeHead(200, html).end(pickerPage({ connected, bankDown, banks: testBanks }));
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
