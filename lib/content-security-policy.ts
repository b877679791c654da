import { stripeOrigins, type StripeSettings } from './stripe.ts';

export type BankPickerOrigins = Pick<StripeSettings, 'apiBase' | 'scriptUrl'>;

interface Sources {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly calls: readonly string[];
}

/** Of a page: only what it loads itself and, where it has Stripe's bank picker, what that loads. */
export function contentSecurityPolicy(bankPicker?: BankPickerOrigins): string {
  const { scripts, frames, calls } = bankPicker ? sourcesOf(bankPicker) : { scripts: [], frames: [], calls: [] };
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...calls].join(' '),
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What Stripe.js needs: https://docs.stripe.com/security/guide#content-security-policy */
function sourcesOf({ apiBase, scriptUrl }: BankPickerOrigins): Sources {
  const script = new URL(scriptUrl).origin;
  const isStripes = scriptUrl === stripeOrigins.scriptUrl;
  const scripts = isStripes ? [script, 'https://*.js.stripe.com'] : [script];
  return {
    scripts,
    frames: isStripes ? [...scripts, 'https://hooks.stripe.com'] : scripts,
    calls: [new URL(apiBase).origin],
  };
}
