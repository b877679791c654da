import type { Stack } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import type { BackupVault } from '../settings/backup-vault.ts';
import type { Issuer } from '../constructs/sign-in.ts';
import type { Shift } from '../constructs/gradual-deploys.ts';
import type { OwnDomain } from '../settings/own-domain.ts';
import type { StripeSettings } from '../settings/stripe.ts';

/** The output with the settings that a later deploy must not leave out by mistake. */
export const settingsOutput = 'Settings';

export interface KeptSettings {
  readonly domain?: OwnDomain | undefined;
  readonly dashboardDomain?: OwnDomain | undefined;
  readonly apiDomain?: OwnDomain | undefined;
  /** A web ACL for both pages. Without one, production in us-east-1 creates its own. */
  readonly webAcl?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly alarmEmail?: string | undefined;
  /** Reserves concurrency for the functions that move money and for the sweep. */
  readonly reserve?: boolean | undefined;
  /** Releases of the money path roll out gradually. */
  readonly shift?: Shift | undefined;
  /** The vault that every backup is copied to. Without one, DynamoDB's own backups are the only ones. */
  readonly backupVault?: BackupVault | undefined;
  /** In dollars. */
  readonly monthlyBudget?: number | undefined;
  readonly issuer?: Issuer | undefined;
  /** Live mode only, where it is required. */
  readonly stripe?: StripeSettings | undefined;
}

/** Another value would cut off users or payments, so it is refused even if it is given. */
const fixed = ['oidcIssuer', 'chargeType'];

/** Keyed by their names after `-c`. */
export function keptSettings(settings: KeptSettings): Record<string, string> {
  const { domain, dashboardDomain, apiDomain, webAcl, mailFrom, alarmEmail, reserve, shift, issuer, stripe } = settings;
  const { backupVault, monthlyBudget } = settings;
  const values = {
    domain: domain?.name,
    dashboardDomain: dashboardDomain?.name,
    apiDomain: apiDomain?.name,
    webAcl,
    mailFrom,
    alarmEmail,
    reserve: reserve ? 'true' : undefined,
    shift,
    backupVault: backupVault?.arn,
    monthlyBudget: monthlyBudget?.toString(),
    oidcIssuer: issuer?.url ?? 'none',
    chargeType: stripe?.chargeType,
  };
  const entries = Object.entries(values);
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** Returns a line for each setting of `stack` that a deploy with `settings` would drop or must not change. */
export function lostSettings(
  stack: Pick<Stack, 'Outputs'> | undefined,
  settings: KeptSettings & { readonly given: ReadonlySet<string> },
): string[] {
  const output = stack?.Outputs?.find(({ OutputKey }) => OutputKey === settingsOutput)?.OutputValue;
  if (output === undefined) return [];
  const wanted = keptSettings(settings);
  return Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(output))).flatMap(([key, before]) => {
    const after = wanted[key] ?? 'none';
    if (after === before) return [];
    const repeat = `Give -c ${key}=${before}`;
    if (fixed.includes(key))
      return [
        `-c ${key} is ${after}, and the stack has ${before}. ${repeat}. To change it, run \`npx cdk deploy\` with the same settings: it does not check this.`,
      ];
    if (after !== 'none' || settings.given.has(key)) return [];
    return [`-c ${key} is left out, and the stack has ${before}. ${repeat}, or -c ${key}=none to drop it.`];
  });
}

/** Returns a line for each reason to refuse a deploy with `settings`: it would drop one, or must not change it. */
export function refusedSettings(
  stack: Pick<Stack, 'Outputs'> | undefined,
  settings: Parameters<typeof lostSettings>[1] & { readonly originSecretNumber: number },
): string[] {
  return [...wrongSecretNumber(stack, settings.originSecretNumber), ...lostSettings(stack, settings)];
}

/** The output with the number of the secret that the distributions send. */
export const secretNumberOutput = 'OriginSecretNumber';

/** Returns what to do if the functions of `stack` would reject the new secret until the deploy ends. */
function wrongSecretNumber(stack: Pick<Stack, 'Outputs'> | undefined, wanted: number): string[] {
  const output = stack?.Outputs?.find(({ OutputKey }) => OutputKey === secretNumberOutput)?.OutputValue;
  if (output === undefined) return [];
  const deployed = Number(output);
  if (wanted === deployed || wanted === deployed + 1) return [];
  return [
    `-c originSecret is ${wanted}, and the stack has ${deployed}: both pages would stop while it deploys. Give ${deployed}, or ${deployed + 1} to change the secret.`,
  ];
}
