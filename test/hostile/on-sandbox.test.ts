import { onStack } from '../support/on-stack.ts';
import { expectNoFaults, seed } from './on-stack.ts';
import { targetsOf } from './targets.ts';

const targets = targetsOf('sandbox').filter(({ host }) => host !== 'dashboardUrl');

onStack(`hostile requests of practices and patients to the sandbox do no harm (HOSTILE_SEED=${seed})`, ({ own }) =>
  expectNoFaults('sandbox', targets, own),
);
