export interface StripeSettings {
  /** Name or ARN of a secret in Secrets Manager. */
  readonly secret: string;
  readonly chargeType: 'direct' | 'destination';
  readonly apiBase: string;
  readonly scriptUrl: string;
  /** True only on a local stack. */
  readonly allowTestKeys: boolean;
}

/** Stripe.js v3 keeps getting updates, as later versions do: https://docs.stripe.com/sdks/stripejs-versioning */
export const stripeOrigins = { apiBase: 'https://api.stripe.com', scriptUrl: 'https://js.stripe.com/v3/' } as const;

const secretName = /^[\w/+=.@-]{1,512}$/;
const secretArn = /^arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/;

/** The settings that `cdk` takes. Throws for any that are wrong; all but the secret are optional. */
export function stripeSettingsOf(given: {
  readonly secret: string | undefined;
  readonly chargeType: string | undefined;
  readonly apiBase: string | undefined;
  readonly scriptUrl: string | undefined;
}): StripeSettings | undefined {
  const { secret, chargeType = 'direct', apiBase = stripeOrigins.apiBase, scriptUrl = stripeOrigins.scriptUrl } = given;
  if (chargeType !== 'direct' && chargeType !== 'destination')
    throw new Error('-c chargeType must be direct or destination.');
  if (apiBase !== stripeOrigins.apiBase || scriptUrl !== stripeOrigins.scriptUrl)
    throw new Error(`A deployed stack calls only ${stripeOrigins.apiBase} and loads only ${stripeOrigins.scriptUrl}.`);
  if (secret === undefined) return undefined;
  if (!secretName.test(secret) && !secretArn.test(secret))
    throw new Error('-c stripeSecret must be the name or the whole ARN of a secret in Secrets Manager.');
  return { secret, chargeType, apiBase, scriptUrl, allowTestKeys: false };
}
