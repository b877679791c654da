import { stripeOrigins, type StripeSettings } from '../settings/stripe.ts';

export type BankPickerOrigins = Pick<StripeSettings, 'apiBase' | 'scriptUrl'>;

interface Sources {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly calls: readonly string[];
}

const nothingAroundIt = ["base-uri 'none'", "form-action 'none'"];

/** The policy header of a page that loads only its own files. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  ...nothingAroundIt,
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policy header of a page whose document has its own policy. Both apply, so this one leaves out scripts and styles:
 * after a deploy, a cached document would not match them.
 */
export const framePolicy = [...nothingAroundIt, "frame-ancestors 'none'"].join('; ');

interface Inline {
  /** Hashes, such as `sha256-…`. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The policy in a document: allows only its inline scripts and styles and, in live mode, what Stripe's bank picker loads. */
export function documentPolicy(inline: Inline, bankPicker?: BankPickerOrigins): string {
  const { scripts, frames, calls } = bankPicker ? sourcesOf(bankPicker) : { scripts: [], frames: [], calls: [] };
  const quoted = (hash: string) => `'${hash}'`;
  return [
    "default-src 'none'",
    ['script-src', ...inline.scripts.map(quoted), ...scripts].join(' '),
    ['style-src', ...inline.styles.map(quoted)].join(' '),
    "img-src 'self' data:",
    ["connect-src 'self'", ...calls].join(' '),
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    ...nothingAroundIt,
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
