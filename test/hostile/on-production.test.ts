import { onLiveStack } from '../support/live-stack.ts';
import { expectNoFaults, seed } from './on-stack.ts';

onLiveStack(`hostile requests to every route of production do no harm (HOSTILE_SEED=${seed})`, ({ ownLive }) =>
  expectNoFaults('production', ownLive, ownLive.stripe.webhookSecret),
);
