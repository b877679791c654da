/** Runs the service on this machine: synthesizes the stack and runs the template. `npm start -- --help` lists the options. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SetupError } from '../lib/local/setup-error.ts';
import { startLocalStack } from '../lib/local/stack.ts';
import { synthesize } from '../lib/synthesize.ts';

const usage = `Usage: npm start -- [options]
  --port N     the first of the consecutive ports: API, hosted page, … (default 4000)
  --data DIR   where tables, messages and logs are kept (default .local)
  --fresh      delete DIR first`;

try {
  await main();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exit(1);
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const { firstPort, dataDir, fresh } = options;
  if (fresh) rmSync(dataDir, { recursive: true, force: true });

  const stack = await startLocalStack({
    ...(await synthesize({ stage: 'sandbox', local: true })),
    dataDir,
    firstPort,
    log: (line) => console.error(line),
  });
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void stack.stop().then(() => process.exit(0));
    });
  }
  void stack.ended.then(() => {
    console.error('dynoxide ended by itself. Start again; nothing that was acknowledged is lost.');
    process.exit(1);
  });

  console.log(`API          ${stack.apiUrl}`);
  if (stack.hostedUrl !== undefined) console.log(`Hosted page  ${stack.hostedUrl}`);
}

/** The options, or undefined where help is asked for. Throws SetupError for what cannot be an option. */
function readOptions(): { firstPort: number; dataDir: string; fresh: boolean } | undefined {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4000' },
        data: { type: 'string', default: '.local' },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const firstPort = Number(values.port);
    if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_000) throw new Error(`--port takes a number from 1 to 65000, not ${values.port}.`);
    return { firstPort, dataDir: values.data, fresh: values.fresh };
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
