/** The CDK app. `web/docs/operate.md` lists its settings, such as `-c stage=production` and `-c region=…`. */
import { Annotations, App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build } from '../lib/build/build.ts';
import { contextText } from '../lib/deploy/command-line.ts';
import { PaymentStack } from '../lib/constructs/payment-stack.ts';
import { runbookPath, settingsOf } from '../lib/settings/settings.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const region = contextValue('region') ?? process.env['CDK_DEFAULT_REGION'] ?? 'us-east-1';
const { stage, operator, ...settings } = chosenSettings();

await using built = await build(stage.mode, {
  bankPicker: settings.stripe,
  operator,
  mails: settings.mailFrom !== undefined,
});
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
    'Alarms link to a path in the repository. Give -c runbookUrl=https://… so that the link works from an email.',
  );
app.synth();

function chosenSettings() {
  try {
    return settingsOf(contextValue, region);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

function contextValue(key: string): string | undefined {
  return contextText(app.node.tryGetContext(key));
}
