/** Runs the service on this machine. `npm start -- --help` lists the options. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPractice } from '../functions/practices/create.ts';
import { getSigningSecret } from '../functions/practices/signing-secrets.ts';
import { placeEndpoint } from '../functions/practices/webhook-endpoints.ts';
import { startDemoReceiver, type DemoReceiver } from '../lib/local/demo-receiver.ts';
import { runInForeground } from '../lib/local/foreground.ts';
import { SetupError } from '../lib/local/setup-error.ts';
import { startLocalStack } from '../lib/local/stack.ts';
import { synthesize } from '../lib/synthesize.ts';
import { seedUsers } from './local/demo-users.ts';
import { mailText, welcome } from './local/printed.ts';
import {
  operatorFileOf,
  parseDemoPractice,
  readDemoPractice,
  writePrivateFile,
  writeStackFile,
  type DemoPractice,
} from './practice/files.ts';
import { author } from './practice/command.ts';
import { defaultDataDirectory, openLocal, operatorFileName, type OperatedStack } from './practice/stack.ts';

const usage = `Usage: npm start -- [options]
  --port N     first of five consecutive ports: API, hosted page, dashboard, its sign-in, demo receiver (default 4000)
  --data DIR   where tables, messages and logs are kept (default .local)
  --fresh      start over: delete what an earlier run left in DIR`;

await runInForeground(main);

async function main() {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return undefined;
  }
  const { firstPort, dataDir, fresh } = options;

  const outdir = mkdtempSync(join(tmpdir(), 'payment-assembly-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const source = await synthesize({ stage: 'sandbox', local: true, outdir });
  const stack = await startLocalStack({
    ...source,
    dataDir,
    firstPort,
    fresh,
    log: (line) => console.error(line),
    onMail: (mail) => console.log(mailText(mail)),
  });
  try {
    const operatorFile = operatorFileOf(stack);
    await writePrivateFile(join(dataDir, operatorFileName), operatorFile);
    const { apiUrl, hostedUrl = '', dashboardUrl = '' } = stack;
    const operated = openLocal(operatorFile, dataDir);
    // The stack itself uses four ports.
    const { practice, receiver } = await startDemo(operated, dataDir, firstPort + 4);
    const dashboardUsers = await seedUsers(stack, operated, practice.practiceId, Date.now());
    const started = { apiUrl, hostedUrl, dashboardUrl, dashboardUsers, practice };
    await writeStackFile(dataDir, started);
    console.log(welcome(started, performance.now()));
    return { ended: stack.ended, stop: async () => void (await Promise.all([receiver.stop(), stack.stop()])) };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Finds or creates the demo practice, and starts its webhook receiver. */
async function startDemo(
  operated: OperatedStack,
  dataDir: string,
  port: number,
): Promise<{ practice: DemoPractice; receiver: DemoReceiver }> {
  const url = `http://127.0.0.1:${port}/webhooks`;
  const contact = { supportPhone: '+1 555 010 0100', supportEmail: 'billing@lakeside.example' };
  const kept =
    (await readDemoPractice(dataDir)) ??
    parseDemoPractice(
      await createPractice(
        operated,
        { name: 'Lakeside Family Practice', webhookUrl: url, ...contact, author },
        Date.now(),
      ),
    );
  const { endpointId, signingSecret } = await placeEndpoint(operated, { ...kept, url, author }, Date.now());
  const practice = { ...kept, endpointId, signingSecret, webhookUrl: url };
  const secretOf = () => getSigningSecret(operated, practice);
  const receiver = await startDemoReceiver(port, secretOf, (webhook) =>
    console.log(
      `webhook      ${webhook.type}  ${'status' in webhook.data ? `${webhook.data.invoiceId}  ${webhook.data.status}  ` : ''}verified  ${webhook.id}`,
    ),
  );
  return { receiver, practice };
}

/** Undefined for --help. Throws SetupError for an invalid option. */
function readOptions(): { firstPort: number; dataDir: string; fresh: boolean } | undefined {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4000' },
        data: { type: 'string', default: defaultDataDirectory },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const firstPort = Number(values.port);
    if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_000)
      throw new Error(`--port takes a number from 1 to 65000, not ${values.port}.`);
    return { firstPort, dataDir: values.data, fresh: values.fresh };
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}
