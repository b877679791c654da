/** The CDK app: `cdk deploy` for a sandbox, `cdk deploy -c stage=production` for live money, `-c region=…` for another region, `-c domain=… -c certificate=…` for a domain of your own. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build } from '../lib/build.ts';
import { ownDomainOf } from '../lib/own-domain.ts';
import { PaymentStack } from '../lib/payment-stack.ts';
import { stageOf } from '../lib/stage.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const { stage, domain } = chosenSettings();
const region = contextValue('region') ?? process.env['CDK_DEFAULT_REGION'] ?? 'us-east-1';

await using built = await build(stage.mode);
new PaymentStack(app, { stage, region, domain, functions: built.functions, hostedPage: built.hostedPage });
app.synth();

function chosenSettings() {
  try {
    return {
      stage: stageOf(contextValue('stage') ?? 'sandbox'),
      domain: ownDomainOf(contextValue('domain'), contextValue('certificate')),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

function contextValue(key: string): string | undefined {
  const value: unknown = app.node.tryGetContext(key);
  return value === undefined ? undefined : String(value);
}
