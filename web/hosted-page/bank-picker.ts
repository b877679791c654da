import type { BankPickerKeys } from './patient-api.ts';

/** Also the result if the patient closed the window. */
export type Picked = 'picked' | 'picker_closed' | 'picker_failed';

export interface BankPicker {
  /** Loads the picker's script on the first call. */
  load(): Promise<boolean>;
  open(keys: BankPickerKeys): Promise<Picked>;
}

/** The part of Stripe.js that the page uses, typed. */
interface StripeScript {
  collectFinancialConnectionsAccounts(options: { clientSecret: string }): Promise<{
    readonly error?: unknown;
    readonly financialConnectionsSession?: { readonly accounts: ArrayLike<unknown> };
  }>;
}

declare const bankPickerScript: string;
declare global {
  interface Window {
    Stripe?: (publishableKey: string, options: { stripeAccount?: string; locale: string }) => StripeScript;
  }
}

/** In milliseconds. */
const loadTimeout = 20_000;

/**
 * Turned off: Stripe's fraud signals, meant for cards, would send the page's URL, which has the token:
 * https://docs.stripe.com/disputes/prevention/advanced-fraud-detection
 */
const scriptUrl = `${bankPickerScript}?advancedFraudSignals=false`;

function load(): Promise<boolean> {
  if (window.Stripe) return Promise.resolve(true);
  return new Promise((resolve) => {
    const script = document.createElement('script');
    const finish = () => {
      clearTimeout(timer);
      const loaded = window.Stripe !== undefined;
      if (!loaded) script.remove();
      resolve(loaded);
    };
    const timer = setTimeout(finish, loadTimeout);
    script.onload = finish;
    script.onerror = finish;
    script.src = scriptUrl;
    document.head.append(script);
  });
}

export function bankPicker(locale: string): BankPicker {
  return {
    load,
    async open({ publishableKey, account, clientSecret }) {
      const pressed = document.activeElement;
      try {
        const stripe = window.Stripe?.(publishableKey, {
          locale,
          ...(account !== undefined && { stripeAccount: account }),
        });
        const result = await stripe?.collectFinancialConnectionsAccounts({ clientSecret });
        if (!result?.financialConnectionsSession) return 'picker_failed';
        return result.financialConnectionsSession.accounts.length > 0 ? 'picked' : 'picker_closed';
      } catch {
        return 'picker_failed';
      } finally {
        // The focus was in a dialog that is now removed.
        if (document.activeElement === document.body && pressed instanceof HTMLElement) pressed.focus();
      }
    },
  };
}
