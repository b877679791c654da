import { stripeOrigins, type StripeSettings } from './stripe.ts';

export type BankPickerOrigins = Pick<StripeSettings, 'apiBase' | 'scriptUrl'>;

interface Sources {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly calls: readonly string[];
}

const nothingAroundIt = ["base-uri 'none'", "form-action 'none'"];

/** The header of a page that loads only files of its own. */
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
 * The header of a page whose document has a policy of its own. Both apply, so this one says nothing of scripts and
 * styles: a cached document would not fit a newer header.
 */
export const framePolicy = [...nothingAroundIt, "frame-ancestors 'none'"].join('; ');

interface Inline {
  /** Hashes, such as `sha256-…`. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Stands in a document: only what is in it and, where it has Stripe's bank picker, what that loads. */
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
