import { RemovalPolicies, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { reserveOf } from '../constructs/queues.ts';
import { alarmEmailOf, mailFromOf } from '../constructs/mail.ts';
import { originSecretNumberOf } from '../constructs/origin-secret.ts';
import { webAclArnOf } from '../constructs/web-acl.ts';
import { backupVaultOf } from './backup-vault.ts';
import { issuerOf } from '../constructs/sign-in.ts';
import { monthlyBudgetOf } from '../constructs/budget.ts';
import { apiDomain, dashboardDomain, ownDomainOf, type OwnDomain } from './own-domain.ts';
import { securityContactOf, type SecurityContact } from '../constructs/pages.ts';
import { shiftOf } from '../constructs/gradual-deploys.ts';
import { stageOf, type Stage } from './stage.ts';
import { stripeSettingsOf, type StripeSettings } from './stripe.ts';

/** A path in the repository: only the team knows where it is hosted. */
export const runbookPath = 'web/docs/runbook.md';

/** The URL that alarms link to. Throws for anything but an https URL without an anchor. */
export function runbookOf(url: string | undefined): string {
  if (url === undefined) return runbookPath;
  if (!URL.canParse(url) || !url.startsWith('https://') || url.includes('#'))
    throw new Error(
      '-c runbookUrl must be the https URL of the published runbook without an anchor, such as https://git.example.com/payments/blob/main/web/docs/runbook.md.',
    );
  return url;
}

/**
 * A stack's first deploy is unprotected: if it failed, AWS could neither roll back protected tables nor delete the stack.
 * Throws for anything but `true` and `false`.
 */
export function isProtected(protect = 'true'): boolean {
  if (protect !== 'true' && protect !== 'false')
    throw new Error('-c protect must be true or false. Only a first deploy is unprotected.');
  return protect === 'true';
}

/** Who runs the service. Shown to patients. */
export interface Operator {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** A postal address. */
  readonly address?: string | undefined;
}

/** Throws for an empty or long name or postal address, and for anything but a plain email address. */
export function operatorOf({ name, email, address }: Operator): Operator {
  if (name !== undefined && !/^\S(.{0,98}\S)?$/.test(name))
    throw new Error('-c operatorName must be the name of who runs the service, of 1 to 100 characters.');
  if (email !== undefined && !/^[\w.+-]+@[\w.-]+\.[a-z]{2,63}$/.test(email))
    throw new Error('-c operatorEmail must be an address that patients can write to, such as help@example.com.');
  if (address !== undefined && !/^\S(.{0,198}\S)?$/.test(address))
    throw new Error('-c operatorAddress must be your postal address on one line, of 1 to 200 characters.');
  return { name, email, address };
}

/** Leaves out buckets: CloudFormation deletes only empty ones, and a page's bucket is filled early. */
const types = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Cognito::UserPool', 'AWS::Logs::LogGroup'];

/** The resources outlive the stack, unless their own creation is rolled back. */
export function retainData(stack: Stack): void {
  RemovalPolicies.of(stack).apply(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, { applyToResourceTypes: types });
}

export type Settings = ReturnType<typeof settingsOf>;

/** Reads the settings from `-c` and `cdk.json`. Throws if any are wrong or missing; the message has a line for each. */
export function settingsOf(read: (key: string) => string | undefined, region: string | undefined, now = Date.now()) {
  const given = new Set<string>();
  /** Undefined if the setting, or the one that it goes with, is `none`. */
  const optional = (key: string, partOf = key) => {
    const value = read(key);
    if (value !== undefined) given.add(key);
    return read(partOf) === 'none' ? undefined : value;
  };
  const settings = {
    /** The optional settings that have a value, even `none`. */
    given,
    stage: stageOf(read('stage') ?? 'sandbox'),
    protect: isProtected(read('protect')),
    reserve: reserveOf(optional('reserve')),
    shift: shiftOf(optional('shift')),
    backupVault: backupVaultOf(optional('backupVault'), region),
    monthlyBudget: monthlyBudgetOf(optional('monthlyBudget'), optional('alarmEmail')),
    domain: ownDomainOf(optional('domain'), optional('certificate', 'domain')),
    dashboardDomain: ownDomainOf(
      optional('dashboardDomain'),
      optional('dashboardCertificate', 'dashboardDomain'),
      dashboardDomain,
    ),
    apiDomain: ownDomainOf(optional('apiDomain'), optional('apiCertificate', 'apiDomain'), apiDomain(region)),
    webAcl: webAclArnOf(optional('webAcl')),
    originSecretNumber: originSecretNumberOf(read('originSecret')),
    issuer: issuerOf(optional('oidcIssuer'), optional('oidcClientId', 'oidcIssuer')),
    mailFrom: mailFromOf(optional('mailFrom')),
    alarmEmail: alarmEmailOf(optional('alarmEmail')),
    securityContact: securityContactOf(read('securityContact'), now),
    operator: operatorOf({
      name: read('operatorName'),
      email: read('operatorEmail'),
      address: read('operatorAddress'),
    }),
    stripe: stripeSettingsOf({
      secret: read('stripeSecret'),
      chargeType: read('chargeType'),
      apiBase: read('stripeApiBase'),
      scriptUrl: read('stripeScriptUrl'),
    }),
    runbook: runbookOf(read('runbookUrl')),
  };
  const missing = missingSettings(settings);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return settings;
}

interface ProductionSettings {
  readonly stage: Stage;
  readonly domain: OwnDomain | undefined;
  readonly alarmEmail: string | undefined;
  readonly securityContact: SecurityContact | undefined;
  readonly operator: Operator;
  readonly stripe: StripeSettings | undefined;
}

/** The settings that a production stage still lacks, one line each. */
export function missingSettings(settings: ProductionSettings): string[] {
  const { stage, domain, alarmEmail, securityContact, operator, stripe } = settings;
  if (stage.mode !== 'live') return [];
  const needed = [
    [stripe, "-c stripeSecret=…, the name or ARN of the secret with Stripe's keys and signing secrets."],
    [domain, '-c domain=pay.example.com and -c certificate=…, a domain of your own that patients know.'],
    [alarmEmail, '-c alarmEmail=oncall@example.com, an address that gets every alarm.'],
    [securityContact, '-c securityContact=mailto:security@example.com, where researchers report vulnerabilities.'],
    [operator.name, '-c operatorName=…, the name of your company: the payment page tells patients who runs it.'],
    [operator.email, '-c operatorEmail=help@example.com, an address that patients can write to.'],
  ] as const;
  return needed.flatMap(([given, words]) => (given === undefined ? [`Production needs ${words}`] : []));
}
