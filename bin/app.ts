/** The CDK app. `web/docs/operate.md` lists its settings, such as `-c stage=production` and `-c region=…`. */
import { Annotations, App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod/mini';
import { build } from '../lib/build.ts';
import { issuerOf } from '../lib/issuer.ts';
import { alarmEmailOf, mailFromOf } from '../lib/mail.ts';
import { dashboardDomain, ownDomainOf } from '../lib/own-domain.ts';
import { PaymentStack } from '../lib/payment-stack.ts';
import { missingSettings } from '../lib/production.ts';
import { runbookOf, runbookPath } from '../lib/runbook.ts';
import { stageOf } from '../lib/stage.ts';
import { stripeSettingsOf } from '../lib/stripe.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const { stage, ...settings } = chosenSettings();
const region = contextValue('region') ?? process.env['CDK_DEFAULT_REGION'] ?? 'us-east-1';

await using built = await build(stage.mode, settings.stripe);
const stack = new PaymentStack(app, {
  stage,
  region,
  ...settings,
  functions: built.functions,
  hostedPage: built.hostedPage,
  dashboard: built.dashboard,
  viewerFunctions: built.viewerFunctions,
});
if (stage.name === 'production' && settings.runbook === runbookPath)
  Annotations.of(stack).addWarningV2(
    'runbookUrl',
    'Alarms link to a path in the repository. Give -c runbookUrl=https://… so that the link works from an e-mail.',
  );
app.synth();

function chosenSettings() {
  try {
    const stage = stageOf(contextValue('stage') ?? 'sandbox');
    const settings = {
      stage,
      domain: ownDomainOf(contextValue('domain'), contextValue('certificate')),
      dashboardDomain: ownDomainOf(
        contextValue('dashboardDomain'),
        contextValue('dashboardCertificate'),
        dashboardDomain,
      ),
      issuer: issuerOf(contextValue('oidcIssuer'), contextValue('oidcClientId')),
      mailFrom: mailFromOf(contextValue('mailFrom')),
      alarmEmail: alarmEmailOf(contextValue('alarmEmail')),
      stripe: stripeSettingsOf({
        secret: contextValue('stripeSecret'),
        chargeType: contextValue('chargeType'),
        apiBase: contextValue('stripeApiBase'),
        scriptUrl: contextValue('stripeScriptUrl'),
      }),
      runbook: runbookOf(contextValue('runbookUrl')),
    };
    const missing = missingSettings(settings);
    if (missing.length > 0) throw new Error(missing.join('\n'));
    return settings;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

function contextValue(key: string): string | undefined {
  return z.parse(z.optional(z.string()), app.node.tryGetContext(key));
}
