import { parseArgs } from 'node:util';
import { SetupError } from '../../lib/local/setup-error.ts';
import type { StageName } from '../../lib/settings/stage.ts';
import { defaultDataDirectory } from '../practice/stack.ts';

export const usage = `Usage: npm start -- [options]
  --stage NAME  sandbox (default), or production: the same stack with live payments, against a stand-in for Stripe
  --port N      first of seven consecutive ports: API, hosted page, dashboard, its sign-in, demo receiver, and in
                production Stripe's API and pages (default 4000)
  --data DIR    where tables, messages and logs are kept (default ${defaultDataDirectory}, in production ${defaultDataDirectory}-production)
  --fresh       start over: delete what an earlier run left in DIR`;

interface LocalOptions {
  readonly stage: StageName;
  readonly firstPort: number;
  readonly dataDir: string;
  readonly fresh: boolean;
}

/** Undefined for --help. Throws SetupError for an invalid option. */
export function readOptions(): LocalOptions | undefined {
  try {
    const { values } = parseArgs({
      options: {
        stage: { type: 'string', default: 'sandbox' },
        port: { type: 'string', default: '4000' },
        data: { type: 'string' },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const { stage, fresh } = values;
    if (stage !== 'sandbox' && stage !== 'production')
      throw new Error(`--stage takes sandbox or production, not ${stage}.`);
    const firstPort = Number(values.port);
    if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort > 65_000)
      throw new Error(`--port takes a number from 1 to 65000, not ${values.port}.`);
    const dataDir = values.data ?? (stage === 'sandbox' ? defaultDataDirectory : `${defaultDataDirectory}-production`);
    return { stage, firstPort, dataDir, fresh };
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}
