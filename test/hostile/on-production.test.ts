import { onLiveStack } from '../support/live-stack.ts';
import { expectNoFaults, seed } from './on-stack.ts';
import { targetsOf } from './targets.ts';

const ofSandbox = new Set(targetsOf('sandbox').map(({ name }) => name));
const targets = targetsOf('production').filter(({ name }) => !ofSandbox.has(name));

onLiveStack(`hostile requests to routes that only production has do no harm (HOSTILE_SEED=${seed})`, ({ ownLive }) =>
  expectNoFaults('production', targets, ownLive, ownLive.stripe.webhookSecret),
);
