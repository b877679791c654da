import { expect, it } from 'vitest';
import { wakeUp } from '../../lib/local/wake-up.ts';

const never = new AbortController().signal;
const tooLong = 60_000;

it('ends every wait', async () => {
  const written = wakeUp();
  const waits = [1, 2].map(() => written.wait(written.count, tooLong, never));
  written.wake();
  await expect(Promise.all(waits)).resolves.toHaveLength(2);
});

it('is not missed between a read and its wait', async () => {
  const written = wakeUp();
  const seen = written.count;
  written.wake();
  await expect(written.wait(seen, tooLong, never)).resolves.toBeUndefined();
});

it('is optional: a wait also ends by itself, or with its signal', async () => {
  const written = wakeUp();
  await expect(written.wait(written.count, 10, never)).resolves.toBeUndefined();
  const stopping = new AbortController();
  const waits = [written.wait(0, tooLong, stopping.signal)];
  stopping.abort();
  waits.push(written.wait(0, tooLong, stopping.signal));
  await expect(Promise.all(waits)).resolves.toHaveLength(2);
});
