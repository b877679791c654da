import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sessionEventTypes } from '../../functions/domain/sessions/transitions.ts';
import type { StackFile } from '../../bin/practice/files.ts';
import { openLocal } from '../../bin/practice/stack.ts';
import { createPaymentClient, type PaymentClient } from '../../web/client/index.ts';
import { signInUser } from '../support/dashboard-user.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { sandboxBank, stripeBank, type Bank } from './bank.ts';
import { startCallers } from './callers.ts';
import { check, type Kept, type Told } from './check.ts';
import { figuresOf } from './figures.ts';
import { operatorFileIn, settle, type KeptRows } from './kept.ts';
import { live } from './lives.ts';
import { mortalStack, type StackOptions } from './stack-process.ts';

interface DrillOptions extends StackOptions {
  readonly kills: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** How many lives run at once. */
const atOnce = 6;
/** The longest time between two kills, in milliseconds. */
const longestLoad = 60_000;
/** In milliseconds. A sweep does lost work once it is two minutes late. */
const settling = 600_000;

/** Puts load on a stack, kills it again and again, lets it finish, and says what was lost, doubled or changed. */
export async function drill(options: DrillOptions) {
  const { stage, dataDir, kills, seed, log } = options;
  const random = seededRandom(seed);
  const stack = mortalStack(options);
  const receiver = await startReceiver();
  try {
    await stack.start();
    const { apiUrl, dashboardUrl, dashboardUsers, practice } = await prepare(dataDir, receiver);
    const { practiceId, apiKey, testBankCredentials } = practice;
    const [admin] = dashboardUsers;
    if (!admin) throw new Error('the practice has no members');
    const callers = startCallers(random);
    const client = createPaymentClient({ apiUrl, apiKey, maximumAttempts: 1 });
    const bank = stage === 'sandbox' ? sandboxBank(testBankCredentials[0]?.password ?? '') : stripeBank(options);
    const told: Told[] = [];
    const signIn = async () => again(async () => signInUser(dashboardUrl, admin));
    let staff = await signIn();
    const cast = { seed, practiceId, client, bank, callers, receiver, told, staff: () => staff };
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (!isOver) await live(cast, told.length);
      }),
    );
    // A life that fails must not end the process while the stack is down.
    load.catch(() => undefined);
    callers.opened();

    let killedAtStart = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      // Kills by answers, not only by time: on a busy machine, a stack would be killed before it did anything.
      const enough = callers.counts.answered + 10 + Math.floor(random() * 60);
      for (const end = Date.now() + longestLoad; callers.counts.answered < enough && Date.now() < end;) await wait(20);
      await wait(random() * 500);
      callers.closed();
      await stack.kill();
      if (random() < 0.2) {
        await stack.killWhileStarting(random() * 4000);
        killedAtStart += 1;
      }
      await stack.start();
      staff = await signIn();
      callers.opened();
      log(`kill ${kill} of ${kills}, ${told.length} lives so far`);
    }
    await wait(2000);
    isOver = true;
    await load;
    log('letting it finish');
    await settle(dataDir, bank, settling);
    await again(bank.notifyAgain);
    const { rows, left } = await settle(dataDir, bank, settling);
    const kept = await keptBy({ practiceId, client, bank }, rows);
    const received = receiver.received.map(({ event: { id }, body }) => ({ eventId: id, body }));
    const violations = [
      ...check(told, received, kept),
      ...left.map((row) => `it never finished: ${row}`),
      ...(callers.counts.hung > 0 ? [`${callers.counts.hung} calls were not answered at all`] : []),
    ];
    const secondsToReady = stack.starts.map((each) => Math.round(each / 100) / 10);
    const figures = { kills, killedAtStart, calls: callers.counts, ...figuresOf(told, received, kept), secondsToReady };
    return { violations, figures };
  } finally {
    await stack.kill();
    await receiver.stop();
  }
}

/** On a busy machine, the functions of a stack that has just started may time out. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries < 5; tries += 1) {
    try {
      return await work();
    } catch {
      await wait(1000);
    }
  }
  return work();
}

/** Adds an endpoint that gets every event, and lifts the limit of the practice's calls. */
async function prepare(dataDir: string, receiver: Receiver): Promise<StackFile> {
  const started: StackFile = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'));
  const operated = openLocal(await operatorFileIn(dataDir), dataDir);
  const { practiceId } = started.practice;
  const endpoint = { practice: practiceId, url: receiver.url, events: sessionEventTypes.join(',') };
  receiver.secret = (await runCommand<{ signingSecret: string }>(operated, 'add-webhook', endpoint)).signingSecret;
  await runCommand(operated, 'update', { practice: practiceId, rateLimit: '1000' });
  return started;
}

interface Books {
  readonly practiceId: string;
  readonly client: PaymentClient;
  readonly bank: Bank;
}

async function keptBy({ practiceId, client, bank }: Books, rows: KeptRows): Promise<Kept> {
  const statuses = new Map<string, string>();
  for await (const { sessionId, status } of client.sessions.list()) statuses.set(sessionId, status);
  return {
    ...rows,
    sessions: rows.sessions.filter((row) => row['practiceId'] === practiceId),
    events: rows.events.filter(({ type }) => (sessionEventTypes as readonly string[]).includes(type)),
    evidence: rows.authorizations,
    debits: await bank.debits(rows),
    statuses,
  };
}
