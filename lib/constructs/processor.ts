import { Duration } from 'aws-cdk-lib';
import type { Data } from './data.ts';
import { SandboxBank } from './sandbox-bank.ts';
import type { Stage } from '../settings/stage.ts';
import { StripeAccess } from './stripe-access.ts';
import type { StripeSettings } from '../settings/stripe.ts';

/** Long enough for two processor calls that time out. The API waits up to 30 seconds. */
export const processorTimeout = Duration.seconds(25);

/** What a stage's functions need to reach the processor. */
export type Processor = SandboxBank | StripeAccess;

interface ProcessorOfStage {
  readonly processor: Processor;
  readonly stripe?: StripeAccess;
  readonly sandboxBank?: SandboxBank;
}

export function processorOf(stage: Stage, data: Data, settings: StripeSettings | undefined): ProcessorOfStage {
  if (stage.mode === 'sandbox') {
    const sandboxBank = new SandboxBank(data);
    return { processor: sandboxBank, sandboxBank };
  }
  if (!settings) throw new Error('A live stage needs the settings of Stripe.');
  const stripe = new StripeAccess(data, settings);
  return { processor: stripe, stripe };
}
