import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { build } from './build.ts';
import { PaymentStack } from '../constructs/payment-stack.ts';
import { runbookPath } from '../settings/settings.ts';
import { securityContactOf } from '../constructs/pages.ts';
import type { Shift } from '../constructs/gradual-deploys.ts';
import { stageOf, type StageName } from '../settings/stage.ts';
import { stripeOrigins, type StripeSettings } from '../settings/stripe.ts';

interface SynthesizeOptions {
  readonly stage: StageName;
  readonly region?: string;
  readonly local?: boolean;
  readonly mailFrom?: string | undefined;
  readonly reserve?: boolean;
  readonly shift?: Shift | undefined;
  readonly stripe?: StripeSettings;
  readonly outdir?: string;
  readonly functions?: string;
}

const cdkSettings = z.object({ context: z.record(z.string(), z.unknown()) });

export async function synthesize({
  stage: name,
  region = 'us-east-1',
  local = false,
  // The local stack prints emails.
  mailFrom = local ? 'dashboard@payments.example' : undefined,
  reserve = false,
  // Makes every local run of production use the aliases.
  shift = local && name === 'production' ? 'canary' : undefined,
  stripe = { secret: 'stripe', chargeType: 'direct', allowTestKeys: local, ...stripeOrigins },
  outdir,
  functions,
}: SynthesizeOptions): Promise<{ template: unknown; assetDirectory: string }> {
  const settings = await readFile(resolve(import.meta.dirname, '../../cdk.json'), 'utf8');
  const { context } = cdkSettings.parse(JSON.parse(settings));
  const stage = stageOf(name, { local });
  await using built = await build(stage.mode, { bankPicker: stripe, functions, mails: mailFrom !== undefined });
  const app = new App({
    context,
    ...(outdir !== undefined && { outdir }),
    builtinCloudFormationValidation: false,
    analyticsReporting: false,
    treeMetadata: false,
  });
  const { stackName } = new PaymentStack(app, {
    stage,
    region,
    runbook: runbookPath,
    mailFrom,
    reserve,
    shift,
    securityContact: local ? securityContactOf('mailto:security@payments.example', Date.now()) : undefined,
    ...(stage.mode === 'live' && { stripe }),
    built,
  });
  const assembly = app.synth();
  return { template: assembly.getStackByName(stackName).template, assetDirectory: assembly.directory };
}
