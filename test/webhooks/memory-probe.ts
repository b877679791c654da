/** Run this with `node --expose-gc memory-probe.ts URL…`. */
import { setTimeout as wait } from 'node:timers/promises';
import { postWebhook } from '../../functions/webhooks/post.ts';

const urls = process.argv.slice(2);
const post = (url: string) => postWebhook({ url, body: '{}', headers: {} }, true);

async function memory(): Promise<number> {
  await wait(50);
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

for (const url of urls) await post(url);
const before = await memory();
let peak = before;
const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
const statuses: (number | undefined)[] = [];
for (let round = 0; round < 10; round += 1) for (const url of urls) statuses.push((await post(url)).statusCode);
clearInterval(timer);
console.log(
  JSON.stringify({ statuses: [...new Set(statuses)], grown: (await memory()) - before, peak: peak - before }),
);
