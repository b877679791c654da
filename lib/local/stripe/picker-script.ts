/** The part of Stripe.js that connects a bank, in place of https://js.stripe.com. */
export function pickerScript(settings: { apiBase: string; pageOrigin: string }): string {
  return `(${stripeScript.toString()})(${JSON.stringify(settings)});\n`;
}

/** Runs in the browser, so it may refer to nothing outside. */
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
        if (source === frame.contentWindow && data?.standIn) finish();
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
