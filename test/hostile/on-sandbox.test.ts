import { onStack } from '../support/on-stack.ts';
import { expectNoFaults, seed } from './on-stack.ts';

onStack(`hostile requests to every route of the sandbox do no harm (HOSTILE_SEED=${seed})`, ({ own }) =>
  expectNoFaults('sandbox', own),
);
