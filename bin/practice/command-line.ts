import { parseArgs } from 'node:util';
import { Problem } from '../../functions/contract/problems.ts';
import { UsageError } from './command.ts';
import { commands } from './commands.ts';
import { keepStackFile } from './files.ts';
import { problemText } from './problem-text.ts';
import { defaultDataDirectory, findDeployedStack, findLocalStack, OperatorError } from './stack.ts';

const usage = `Usage: npm run -s practice -- <command> [options] [--json] [--data DIR | --stack NAME]

  create         --name N [--webhook-url URL] [--session-lifetime-seconds N] [--link-lifetime-days N]
                 [--support-phone P] [--support-email E] [--color #RRGGBB] [--logo FILE] [--invoice-guard on|off]
                 [--time-zone America/New_York]
  update         --practice ID [--name N] [any setting above] [--logo none]
  suspend        --practice ID   (no new sessions or authorizations; resume ends it)
  resume         --practice ID
  show           --practice ID
  list
  add-key        --practice ID --name N [--scopes sessions:read,sessions:write,events:read,webhooks:write] [--expires-in-days N]
  rotate-key     --practice ID --key KEYID [--end now|1h|24h|7d]   (adds a key; --end is when the old one expires)
  list-keys      --practice ID
  revoke-key     --practice ID --key KEYID
  add-webhook    --practice ID --url URL [--events session.payment.succeeded,...] [--retry standard|all]
  update-webhook --practice ID --endpoint ID [--url URL] [--events session.payment.succeeded,...|all] [--retry standard|all]
  delete-webhook --practice ID --endpoint ID
  list-webhooks  --practice ID
  enable-webhook --practice ID --endpoint ID   (also disable-webhook)
  rotate-secret  --practice ID --endpoint ID [--keep-old-hours H]
  test-webhook   --practice ID --endpoint ID
  deliveries     --practice ID --endpoint ID [--since DATE]   (with every attempt)
  resend         --practice ID --endpoint ID --event EVENTID
  replay         --practice ID --endpoint ID --since DATE     (failed and skipped deliveries, at most 14 days back)
  add-member     --practice ID --email E --role admin|staff|viewer   (to the dashboard: send them the link)
  reset-mfa      --email E   (of the dashboard: a new temporary password, MFA set up again)
  redrive        [--queue NAME]   (retries what is in the dead-letter queues; NAME is the alarm's)
  evidence       --session ID     (the authorization that the patient accepted)
  simulate       --session ID --as user_good|…|expire   (sandbox: plays the patient; with the key in PAYMENTS_API_KEY or the demo's)
  advance        --session ID     (sandbox: the bank's next outcome, now)`;

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 1;
}

/** Runs what was typed after `practice`; returns what to print. */
export async function runCommandLine(args: string[]): Promise<Printed> {
  try {
    return { stdout: `${await answer(args)}\n`, stderr: '', exitCode: 0 };
  } catch (error) {
    const message = messageOf(error);
    const code = error instanceof Problem ? error.code : undefined;
    if (args.includes('--json'))
      return { stdout: `${JSON.stringify({ error: message, code })}\n`, stderr: '', exitCode: 1 };
    const wrongUsage = error instanceof UsageError || code === 'invalid_request';
    return { stdout: '', stderr: wrongUsage ? `${message}\n\n${usage}\n` : `${message}\n`, exitCode: 1 };
  }
}

async function answer(args: string[]): Promise<string> {
  const { values, positionals } = parseCommandLine(args);
  const { json, help, data, stack, ...options } = values;
  if (help) return usage;
  const typed: Record<string, unknown> = options;
  const [name, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`Unexpected argument "${others[0]}".`);
  if (name === undefined) throw new UsageError('Name a command.');
  const found = commands.get(name);
  if (!found) throw new UsageError(`There is no command "${name}".`);
  const unknown = Object.keys(typed).find((option) => !found.options.includes(option));
  if (unknown !== undefined) throw new UsageError(`${name} does not take --${unknown}.`);
  const opened = await (stack === undefined ? findLocalStack(String(data)) : findDeployedStack(String(stack)));
  const result = await found.run(opened, typed, Date.now());
  if (found.changesEndpoint && stack === undefined) await keepStackFile(String(data), typed['endpoint'], result);
  return printable(JSON.stringify(result, null, json ? undefined : 2));
}

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        data: { type: 'string', default: defaultDataDirectory },
        stack: { type: 'string' },
        ...Object.fromEntries(
          [...commands.values()].flatMap(({ options }) => options.map((name) => [name, { type: 'string' } as const])),
        ),
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : 'The options are invalid');
  }
}

/** Escapes characters that control a terminal: receivers' responses are shown too. */
function printable(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Problem) return problemText(error);
  return `The command failed: ${error instanceof Error ? error.message : 'unknown error'}`;
}
