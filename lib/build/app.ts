import { Annotations, Validations, type App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PaymentStack } from '../constructs/payment-stack.ts';
import { contextText } from '../deploy/command-line.ts';
import { runbookPath, settingsOf } from '../settings/settings.ts';
import { build } from './build.ts';

type AppSettings = ReturnType<typeof settingsOfApp>;

/** What `-c`, `cdk.json` and the environment say. Throws as `settingsOf` does. */
export function settingsOfApp(app: App, environment: NodeJS.ProcessEnv) {
  const read = (key: string) => contextText(app.node.tryGetContext(key));
  const region = read('region') ?? environment['CDK_DEFAULT_REGION'] ?? 'us-east-1';
  return { ...settingsOf(read, region), region };
}

/** `functions`: where `buildFunctions` has put them already. */
export async function synthesizeApp(
  app: App,
  { stage, operator, ...settings }: AppSettings,
  functions?: string,
): Promise<void> {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  await using built = await build(stage.mode, {
    bankPicker: settings.stripe,
    operator,
    mails: settings.mailFrom !== undefined,
    functions,
  });
  const stack = new PaymentStack(app, {
    stage,
    ...settings,
    built,
  });
  if (stage.name === 'production' && settings.runbook === runbookPath)
    Annotations.of(stack).addWarningV2(
      'runbookUrl',
      'Alarms link to a path in the repository. Give -c runbookUrl=https://… so that the link works from an email.',
    );
  app.synth();
}
