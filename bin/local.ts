/** Runs the service on this machine: synthesizes the stack and runs the template. `npm start -- --help` lists the options. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runInForeground } from '../lib/local/foreground.ts';
import { SetupError } from '../lib/local/setup-error.ts';
import { startLocalStack, type LocalStack } from '../lib/local/stack.ts';
import { synthesize } from '../lib/synthesize.ts';

const usage = `Usage: npm start -- [options]
  --port N     the first of the consecutive ports: API, hosted page, … (default 4000)
  --data DIR   where tables, messages and logs are kept (default .local)
  --fresh      delete DIR first`;

await runInForeground(main);

async function main(): Promise<LocalStack | undefined> {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return undefined;
  }
  const { firstPort, dataDir, fresh } = options;
  if (fresh) rmSync(dataDir, { recursive: true, force: true });

  const source = await synthesize({ stage: 'sandbox', local: true });
  const stack = await startLocalStack({ ...source, dataDir, firstPort, log: (line) => console.error(line) });

  console.log(`API          ${stack.apiUrl}`);
  if (stack.hostedUrl !== undefined) console.log(`Hosted page  ${stack.hostedUrl}`);
  return stack;
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
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}
