import { setTimeout as wait } from 'node:timers/promises';
import { addKey } from '../../functions/practices/keys.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { testEndpoint } from '../../functions/webhooks/test-endpoint.ts';
import { SetupError } from '../../lib/local/setup-error.ts';
import { author } from '../practice/command.ts';
import type { OperatedStack } from '../practice/stack.ts';

interface Demo {
  readonly practiceId: string;
  readonly endpointId: string;
}

/** Does what a live practice must do before it can get a key, then adds the key. The receiver must be running. */
export async function issueFirstKey(operated: OperatedStack, { practiceId, endpointId }: Demo): Promise<string> {
  await updateSettings(operated, { practiceId, author, primaryColor: '#0f766e' }, Date.now());
  await testEndpoint(operated, { practiceId, endpointId, author }, Date.now());
  await waitForDelivery(operated, { practiceId, endpointId });
  const { apiKey } = await addKey(operated, { practiceId, author, name: 'First key' }, Date.now());
  return apiKey;
}

async function waitForDelivery({ database }: OperatedStack, endpoint: Demo): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const { firstDeliveredAt } = await requireEndpoint(database, endpoint);
    if (firstDeliveredAt !== undefined) return;
    await wait(100);
  }
  throw new SetupError("The test event did not reach the demo's receiver. Start again with --fresh.");
}
