/** The CDK app: `cdk deploy` for a sandbox, `cdk deploy -c stage=production` for live money, `-c region=…` for another region. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build } from '../lib/build.ts';
import { PaymentStack } from '../lib/payment-stack.ts';
import { stageOf } from '../lib/stage.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const stage = stageOf(contextValue('stage') ?? 'sandbox');
const region = contextValue('region') ?? process.env['CDK_DEFAULT_REGION'] ?? 'us-east-1';

await using built = await build();
new PaymentStack(app, { stage, region, functions: built.functions, hostedPage: built.hostedPage });
app.synth();

function contextValue(key: string): string | undefined {
  const value: unknown = app.node.tryGetContext(key);
  return value === undefined ? undefined : String(value);
}
