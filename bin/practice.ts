import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import {
  deliveriesOptions,
  replay,
  replayOptions,
  resend,
  resendOptions,
  showDeliveries,
  testWebhook,
} from './practice/delivery-commands.ts';
import {
  addWebhook,
  addWebhookOptions,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  rotateSecret,
  rotateSecretOptions,
  updateWebhook,
  updateWebhookOptions,
} from './practice/endpoint-commands.ts';
import { evidenceOptions, showEvidence } from './practice/evidence.ts';
import { keepStackFile } from './practice/files.ts';
import {
  addKey,
  addKeyOptions,
  listKeys,
  revokeKey,
  revokeKeyOptions,
  rotateKey,
  rotateKeyOptions,
} from './practice/key-commands.ts';
import { endpointOptions, practiceOptions } from './practice/options.ts';
import { create, createOptions, list, show, update, updateOptions } from './practice/practice-commands.ts';
import { redrive, redriveOptions } from './practice/redrive.ts';
import { findDeployedStack, findLocalStack, OperatorError, type OperatedStack } from './practice/stack.ts';

const usage = `Usage: npm run -s practice -- <command> [options] [--json] [--data DIR | --stack NAME]

  create         --name N [--webhook-url URL] [--session-lifetime-seconds N] [--link-lifetime-days N]
                 [--support-phone P] [--support-email E] [--color #RRGGBB] [--logo FILE] [--invoice-guard on|off]
  update         --practice ID [--name N] [any of the settings above; --logo none]
  show           --practice ID
  list
  add-key        --practice ID --name N [--scopes sessions:read,sessions:write] [--expires-in-days N]
  rotate-key     --practice ID --key KEYID [--end now|1h|24h|7d]   (a new key; when the old one ends)
  list-keys      --practice ID
  revoke-key     --practice ID --key KEYID
  add-webhook    --practice ID --url URL [--events session.payment.succeeded,...] [--retry standard|all]
  update-webhook --practice ID --endpoint ID [--url URL] [--events session.payment.succeeded,...|all] [--retry standard|all]
  delete-webhook --practice ID --endpoint ID
  list-webhooks  --practice ID
  enable-webhook --practice ID --endpoint ID   (and disable-webhook)
  test-webhook   --practice ID --endpoint ID
  deliveries     --practice ID --endpoint ID [--since DATE]   (with every attempt)
  resend         --practice ID --endpoint ID --event EVENTID
  replay         --practice ID --endpoint ID --since DATE     (what failed or was skipped, at most 14 days)
  redrive        [--queue NAME]   (what failed on our side, back to where it came from; NAME is its alarm's)
  evidence       --session ID   (the authorization that a patient gave)
  rotate-secret  --practice ID --endpoint ID [--keep-old-hours H]`;

/** A command line that cannot be understood; beside its message the usage is shown. */
class UsageError extends OperatorError {}

function allowed(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return ` (allowed: ${issue.values.join(', ')})`;
  if (issue.code === 'too_small') return ` (at least ${issue.minimum})`;
  if (issue.code === 'too_big') return ` (at most ${issue.maximum})`;
  return '';
}

/** A command, which runs once its options are parsed; throws an error that names the faulty ones. */
function command<Schema extends z.ZodMiniObject>(
  schema: Schema,
  run: (stack: OperatedStack, options: z.output<Schema>, now: number) => Promise<object>,
) {
  return {
    options: Object.keys(schema.shape),
    run: async (name: string, stack: OperatedStack, typed: Record<string, unknown>, now: number) => {
      const parsed = z.safeParse(schema, typed);
      if (parsed.success) return run(stack, parsed.data, now);
      const faulty = parsed.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys' ? issue.keys : [`${String(issue.path[0])}${allowed(issue)}`],
      );
      throw new UsageError(
        `Missing or wrong for ${name}: ${[...new Set(faulty)].map((option) => `--${option}`).join(', ')}.`,
      );
    },
  };
}

const commands = new Map([
  ['create', command(createOptions, create)],
  ['update', command(updateOptions, update)],
  ['show', command(practiceOptions, show)],
  ['list', command(z.strictObject({}), list)],
  ['add-key', command(addKeyOptions, addKey)],
  ['rotate-key', command(rotateKeyOptions, rotateKey)],
  ['list-keys', command(practiceOptions, listKeys)],
  ['revoke-key', command(revokeKeyOptions, revokeKey)],
  ['add-webhook', command(addWebhookOptions, addWebhook)],
  ['update-webhook', command(updateWebhookOptions, updateWebhook)],
  ['delete-webhook', command(endpointOptions, deleteWebhook)],
  ['list-webhooks', command(practiceOptions, listWebhooks)],
  ['enable-webhook', command(endpointOptions, enableWebhook)],
  ['disable-webhook', command(endpointOptions, disableWebhook)],
  ['test-webhook', command(endpointOptions, testWebhook)],
  ['deliveries', command(deliveriesOptions, showDeliveries)],
  ['resend', command(resendOptions, resend)],
  ['replay', command(replayOptions, replay)],
  ['redrive', command(redriveOptions, redrive)],
  ['evidence', command(evidenceOptions, showEvidence)],
  ['rotate-secret', command(rotateSecretOptions, rotateSecret)],
]);

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        data: { type: 'string', default: '.local' },
        stack: { type: 'string' },
        // Every option of every command takes a text.
        ...Object.fromEntries(
          [...commands.values()].flatMap(({ options }) => options.map((name) => [name, { type: 'string' } as const])),
        ),
      },
    });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') : 'The options cannot be understood',
    );
  }
}

/** What a receiver answered is shown too: nothing of it may steer the terminal or turn the text around. */
function printable(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function answerCommandLine(args: string[]): Promise<string> {
  const { values, positionals } = parseCommandLine(args);
  const { json, help, data, stack, ...options } = values;
  if (help) return usage;
  const typed: Record<string, unknown> = options;
  const [name, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`One command at a time: what is "${others[0]}"?`);
  if (name === undefined) throw new UsageError('Name a command.');
  const found = commands.get(name);
  if (!found) throw new UsageError(`There is no command "${name}".`);
  const opened = await (stack === undefined ? findLocalStack(String(data)) : findDeployedStack(String(stack)));
  const answer = await found.run(name, opened, typed, Date.now());
  if ((name === 'rotate-secret' || name === 'update-webhook') && stack === undefined)
    await keepStackFile(String(data), typed['endpoint'], answer);
  return printable(JSON.stringify(answer, null, json ? undefined : 2));
}

const wantsJson = process.argv.includes('--json');
try {
  console.log(await answerCommandLine(process.argv.slice(2)));
} catch (error) {
  const message =
    error instanceof OperatorError
      ? error.message
      : `The command failed: ${error instanceof Error ? error.message : 'unknown fault'}`;
  if (wantsJson) console.log(JSON.stringify({ error: message }));
  else console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
  process.exitCode = 1;
}
