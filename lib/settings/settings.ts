import { reserveOf } from '../constructs/concurrency.ts';
import { issuerOf } from './issuer.ts';
import { alarmEmailOf, mailFromOf } from '../constructs/mail.ts';
import { operatorOf } from './operator.ts';
import { originSecretNumberOf } from '../constructs/origin-secret.ts';
import { apiDomain, dashboardDomain, ownDomainOf } from './own-domain.ts';
import { missingSettings } from './production.ts';
import { isProtected } from './protection.ts';
import { runbookOf } from './runbook.ts';
import { securityContactOf } from './security-txt.ts';
import { stageOf } from './stage.ts';
import { stripeSettingsOf } from './stripe.ts';
import { webAclArnOf } from '../constructs/web-acl.ts';

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
    operator: operatorOf(read('operatorName'), read('operatorEmail')),
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
