import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedUsers, type DashboardUser } from '../../bin/local/demo-practice.ts';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal, type OperatedStack } from '../../bin/practice/stack.ts';
import { author, createPractice } from './create-practice.ts';
import type { Mail } from '../../lib/local/user-pool.ts';
import { startLocalStack, type LocalStack } from '../../lib/local/stack.ts';
import type { synthesize } from '../../lib/build/synthesize.ts';
import { sandboxAssembly } from './built.ts';
import { observedPermissions, type Disturb } from './permissions.ts';
import { paymentsOf, type Payments } from './payments.ts';
import { startReceiver, type Receiver } from './receiver.ts';

/** A stack, and what its tests need from it besides a practice. */
interface RunningStack {
  readonly stack: LocalStack;
  readonly operated: OperatedStack;
  readonly apiUrl: string;
  readonly hostedUrl: string;
  readonly dashboardUrl: string;
  /** The emails that the stack has sent so far, to members of any practice. */
  readonly mails: readonly Mail[];
  /** What every function logged. */
  logLines(): Promise<string[]>;
  /** What DynamoDB does to the functions' requests from now on. */
  disturb(how: Disturb): void;
}

/** A stack as one practice uses it. */
export interface TestPractice extends RunningStack, Payments {
  /** A member of the practice for each role. */
  readonly dashboardUsers: DashboardUser[];
  readonly receiver: Receiver;
  readonly practice: { practiceId: string; apiKey: string; endpointId: string; password: string };
}

export interface TestStack extends TestPractice {
  stop(): Promise<void>;
}

interface TestStackOptions {
  /** By default, one that is built for all test files. */
  readonly assembly?: Awaited<ReturnType<typeof synthesize>>;
  readonly dataDir?: string;
  /** Secrets that the template does not create, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly log?: (line: string) => void;
}

/** A stack with one practice. Stopping keeps a `dataDir` that the caller gave. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const shared = await startSharedStack(options);
  return { ...(await shared.openPractice()), stop: () => shared.stop() };
}

export interface SharedStack extends RunningStack {
  /** A practice with its own receiver and members, whose addresses end in `domain`. */
  openPractice(domain?: string): Promise<TestPractice>;
  stop(): Promise<void>;
}

export async function startSharedStack(options: TestStackOptions = {}): Promise<SharedStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payment-stack-')));
  const assembly = options.assembly ?? (await sandboxAssembly());
  let disturb: Disturb = () => undefined;
  const { permissions, check } = observedPermissions(assembly.template, (call) => disturb(call));
  const mails: Mail[] = [];
  const stack = await startLocalStack({
    ...assembly,
    dataDir,
    permissions,
    keepsMessages: false,
    firstPort: 0,
    onMail: (mail) => mails.push(mail),
    hostEnvironment: {},
    // Otherwise, an hourly run could come in the middle of a test that is about the next one.
    longestSchedule: 1,
    ...(options.log && { log: options.log }),
    ...(options.secrets && { secrets: options.secrets }),
  });
  const operated = openLocal(operatorFileOf(stack));
  const { apiUrl, hostedUrl = '', dashboardUrl = '' } = stack;
  const running: RunningStack = {
    stack,
    operated,
    apiUrl,
    hostedUrl,
    dashboardUrl,
    mails,
    async logLines() {
      const logs = join(dataDir, 'logs');
      const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
      return texts.flatMap((text) => text.split('\n'));
    },
    disturb(how) {
      disturb = how;
    },
  };
  const receivers: Receiver[] = [];
  return {
    ...running,
    async openPractice(domain) {
      const receiver = await startReceiver();
      receivers.push(receiver);
      const settings = {
        author,
        name: 'Lakeside Family Practice',
        webhookUrl: receiver.url,
        supportPhone: '+1 555 010 0100',
      };
      const created = await createPractice(operated, settings, Date.now());
      receiver.secret = created.signingSecret ?? '';
      const { practiceId, apiKey, endpointId = '', testBankCredentials } = created;
      const practice = { practiceId, apiKey, endpointId, password: testBankCredentials?.[0]?.password ?? '' };
      const dashboardUsers = await seedUsers(stack, operated, practiceId, Date.now(), domain);
      return { ...running, ...paymentsOf({ apiUrl, ...practice }), dashboardUsers, receiver, practice };
    },
    async stop() {
      await stack.stop();
      await Promise.all(receivers.map((receiver) => receiver.stop()));
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      check();
    },
  };
}
