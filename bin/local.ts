/** Runs the service on this machine. `npm start -- --help` lists the options. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stop } from 'esbuild';
import { runInForeground } from '../lib/local/foreground.ts';
import { requestName } from '../lib/local/permissions/access-requests.ts';
import type { Decision } from '../lib/local/permissions/decision.ts';
import { startLocalStack } from '../lib/local/stack.ts';
import { openState } from '../lib/local/state.ts';
import { synthesize } from '../lib/build/synthesize.ts';
import { findDemoPlatform, platformLines, platformPath } from './local/demo-platform.ts';
import { issueFirstKey, startDemo, seedUsers } from './local/demo-practice.ts';
import { goLive, startLocalStripe, type LocalStripe } from './local/stripe.ts';
import {
  operatorFileOf,
  setStackFileAside,
  writePrivateFile,
  writeStackFile,
  type StackFile,
} from './practice/files.ts';
import { defaultDataDirectory, openLocal, operatorFileName } from './practice/stack.ts';
import { SetupError } from '../lib/local/setup-error.ts';
import type { StageName } from '../lib/settings/stage.ts';
import type { Mail } from '../lib/local/user-pool.ts';

const usage = `Usage: npm start -- [options]
  --stage NAME  sandbox (default), or production: the same stack with live payments, against a stand-in for Stripe
  --port N      first of seven consecutive ports: API, hosted page, dashboard, its sign-in, demo receiver, and in
                production Stripe's API and pages (default 4000)
  --data DIR    where tables, messages and logs are kept (default ${defaultDataDirectory}, in production ${defaultDataDirectory}-production)
  --platform    also a demo platform with two practices, which later runs keep; sandbox only
  --fresh       start over: delete what an earlier run left in DIR
  --enforce-permissions
                refuse functions what their roles do not allow, and print it`;

interface LocalOptions {
  readonly stage: StageName;
  readonly firstPort: number;
  readonly dataDir: string;
  readonly fresh: boolean;
  readonly platform: boolean;
  readonly enforcesPermissions: boolean;
}

/** Undefined for --help. Throws SetupError for an invalid option. */
function readOptions(): LocalOptions | undefined {
  try {
    const { values } = parseArgs({
      options: {
        stage: { type: 'string', default: 'sandbox' },
        port: { type: 'string', default: '4000' },
        data: { type: 'string' },
        fresh: { type: 'boolean', default: false },
        platform: { type: 'boolean', default: false },
        'enforce-permissions': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const { stage, fresh, platform } = values;
    if (stage !== 'sandbox' && stage !== 'production')
      throw new Error(`--stage takes sandbox or production, not ${stage}.`);
    if (platform && stage !== 'sandbox') throw new Error('--platform works only in the sandbox.');
    const firstPort = Number(values.port);
    if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_000)
      throw new Error(`--port takes a number from 1 to 65000, not ${values.port}.`);
    const dataDir = values.data ?? (stage === 'sandbox' ? defaultDataDirectory : `${defaultDataDirectory}-production`);
    return { stage, firstPort, dataDir, fresh, platform, enforcesPermissions: values['enforce-permissions'] };
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

/** The name of Stripe's secret in the local Secrets Manager. */
const stripeSecret = 'stripe';

await runInForeground(main);

async function main() {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return undefined;
  }
  const { stage, firstPort, dataDir, fresh, enforcesPermissions } = options;

  // Refuses a folder whose stack still runs: its file must stay.
  openState(dataDir).close();
  setStackFileAside(dataDir);
  const outdir = mkdtempSync(join(tmpdir(), 'payment-assembly-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await using cleanup = new AsyncDisposableStack();
  // The stack itself uses four ports, and the demo receiver one.
  const notifyUrl = `http://127.0.0.1:${firstPort}/api/processor/stripe`;
  const stripe =
    stage === 'production'
      ? await startLocalStripe({ dataDir, fresh, port: firstPort + 5, notifyUrl }, process.env)
      : undefined;
  cleanup.defer(() => stripe?.stop());
  const source = await synthesize({
    stage,
    local: true,
    outdir,
    ...(stripe && {
      stripe: {
        secret: stripeSecret,
        chargeType: 'direct',
        allowTestKeys: true,
        apiBase: stripe.apiBase,
        scriptUrl: stripe.scriptUrl,
      },
    }),
  });
  // esbuild's process would otherwise keep a gigabyte.
  await stop();
  const stack = await startLocalStack({
    ...source,
    dataDir,
    firstPort,
    fresh,
    ...(stripe && { secrets: { [stripeSecret]: stripe.secret } }),
    ...(enforcesPermissions && { permissions: { onDecision: printRefused } }),
    log: (line) => console.error(line),
    onMail: (mail) => console.log(mailText(mail)),
  });
  cleanup.defer(() => stack.stop());
  const operatorFile = operatorFileOf(stack);
  await writePrivateFile(join(dataDir, operatorFileName), operatorFile);
  const { apiUrl, hostedUrl = '', dashboardUrl = '' } = stack;
  const operated = openLocal(operatorFile, dataDir);
  const webhookUrl = `http://127.0.0.1:${firstPort + 4}${platformPath}`;
  const platform = await findDemoPlatform(operated, { dataDir, webhookUrl, wanted: options.platform });
  const { practice: created, receiver } = await startDemo(operated, dataDir, firstPort + 4, platform);
  cleanup.defer(() => receiver.stop());
  const deposit = stripe && (await goLive(operated, stripe, created.practiceId, Date.now()));
  const practice = { ...created, apiKey: created.apiKey ?? (await issueFirstKey(operated, created)) };
  const dashboardUsers = await seedUsers(stack, operated, practice.practiceId, Date.now());
  const docsUrl = `${dashboardUrl}/docs/`;
  const started = { apiUrl, hostedUrl, dashboardUrl, docsUrl, dashboardUsers, practice, platform };
  await writeStackFile(dataDir, started);
  cleanup.defer(() => setStackFileAside(dataDir));
  console.log(welcome(started, performance.now(), stripe && deposit && { ...stripe, notifyUrl, deposit }));
  if (platform) console.log(platformLines(platform, started));
  const owned = cleanup.move();
  return { ended: stack.ended, stop: () => owned.disposeAsync() };
}

function printRefused({ call, refused }: Decision): void {
  for (const request of refused) console.error(`refused      ${call.caller} ${requestName(request)}`);
}

interface UsedStripe extends Pick<LocalStripe, 'apiBase' | 'isStandIn'> {
  readonly notifyUrl: string;
  readonly deposit: { readonly id: string; readonly charges_enabled?: boolean | undefined };
}

/** `startedIn` is in milliseconds. */
export function welcome(
  { apiUrl, hostedUrl, dashboardUrl, docsUrl, dashboardUsers, practice }: StackFile,
  startedIn: number,
  stripe?: UsedStripe,
): string {
  const { practiceId, apiKey, webhookUrl, signingSecret } = practice;
  return `
Ready in ${(startedIn / 1000).toFixed(1)} s. Press Ctrl-C to stop; the data is kept.

API          ${apiUrl}
Hosted page  ${hostedUrl}
Dashboard    ${dashboardUrl}
             ${dashboardUsers.map(({ email }) => email).join(' ')}
             password ${dashboardUsers[0]?.password ?? ''}  (emails are printed here)
Docs         ${docsUrl}
Practice     ${practiceId}
API key      ${apiKey}
Webhooks     ${webhookUrl}  (verified and printed here)
Secret       ${signingSecret}
${stripe ? stripeLines(stripe) : testBankLines(practice)}

curl -s ${apiUrl}/api/practice/sessions \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"invoiceId":"INV-1043","amountCents":18250,"patient":{"firstName":"Ada","lastName":"Okafor"}}'
`;
}

function testBankLines({ testBankCredentials }: StackFile['practice']): string {
  return `Test bank    password ${testBankCredentials[0]?.password ?? ''}
             ${testBankCredentials.map(({ username }) => username).join(' ')}

Create a session, open its hostedUrl, choose Sandbox Bank and sign in as user_good:`;
}

function stripeLines({ apiBase, isStandIn, notifyUrl, deposit }: UsedStripe): string {
  const unfinished = deposit.charges_enabled === false ? '  (not onboarded at Stripe yet)' : '';
  return `Deposits to  ${deposit.id}${unfinished}
Stripe       ${apiBase}${isStandIn ? '  (a stand-in: no money moves)' : `  must notify ${notifyUrl}`}

Create a session, open its hostedUrl, and choose ${isStandIn ? 'a test bank' : 'a bank'}:`;
}

/** Formats an email without terminal control characters. */
export function mailText({ to, subject, text }: Mail): string {
  const lines = `to ${to}  ${subject}\n${text.trim()}`.split('\n');
  return `mail         ${lines.map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')).join('\n             ')}`.replaceAll(
    / +$/gm,
    '',
  );
}
