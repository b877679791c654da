import { createServer } from 'node:http';

/** The client secret tells the double what to do. */
export type PickerScript = 'connects' | 'closed' | 'fails' | 'breaks' | 'waits';

export interface BankPickerDouble {
  readonly scriptUrl: string;
  readonly apiBase: string;
  /** Path and query of each request. */
  readonly loads: string[];
  close(): Promise<void>;
}

/** Runs in the page. */
function stripeScript(): void {
  const opened: unknown[] = [];
  function takeFocus(): void {
    const dialog = document.createElement('dialog');
    dialog.append(document.createElement('button'));
    document.body.append(dialog);
    dialog.showModal();
    dialog.remove();
  }
  Object.assign(globalThis, {
    opened,
    Stripe: (key: string, options: object) => ({
      async collectFinancialConnectionsAccounts({ clientSecret }: { clientSecret: string }) {
        opened.push({ key, ...options });
        if (clientSecret === 'waits') await new Promise(() => {});
        takeFocus();
        if (clientSecret === 'breaks') throw new Error('Stripe.js broke.');
        if (clientSecret === 'fails') return { error: { message: 'This bank connection has expired.' } };
        return { financialConnectionsSession: { accounts: clientSecret === 'closed' ? [] : [{ id: 'fca_1' }] } };
      },
    }),
  });
}

/** Served from another origin, like Stripe's script. */
export async function startBankPickerDouble(): Promise<BankPickerDouble> {
  const loads: string[] = [];
  const server = createServer((request, response) => {
    loads.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(`(${stripeScript.toString()})();`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The double has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    scriptUrl: `${origin}/v3/`,
    apiBase: origin,
    loads,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
