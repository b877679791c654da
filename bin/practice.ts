import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { addKey, addWebhook, commandOptions, create, list, listKeys, revokeKey, rotateKey, show, showEvidence, rotateSecret, update } from './practice/commands.ts';
import { deleteWebhook, disableWebhook, enableWebhook, listWebhooks, replay, resend, showDeliveries, testWebhook, updateWebhook, webhookCommandOptions } from './practice/webhook-commands.ts';
import { redrive, redriveOptions } from './practice/redrive.ts';
import { keepStackFile } from './practice/files.ts';
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

/** Parses a command's options; throws an error that names the faulty ones. */
function optionsOf<Schema extends z.ZodMiniType>(name: string, schema: Schema, typed: Record<string, unknown>): z.output<Schema> {
  const parsed = z.safeParse(schema, typed);
  if (parsed.success) return parsed.data;
  const faulty = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [`${String(issue.path[0])}${allowed(issue)}`]));
  throw new UsageError(`Missing or wrong for ${name}: ${[...new Set(faulty)].map((option) => `--${option}`).join(', ')}.`);
}

function allowed(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return ` (allowed: ${issue.values.join(', ')})`;
  if (issue.code === 'too_small') return ` (at least ${issue.minimum})`;
  if (issue.code === 'too_big') return ` (at most ${issue.maximum})`;
  return '';
}

async function run(command: string | undefined, stack: () => Promise<OperatedStack>, typed: Record<string, unknown>, now: number): Promise<object> {
  switch (command) {
    case 'create':
      return create(await stack(), optionsOf('create', commandOptions.create, typed), now);
    case 'update':
      return update(await stack(), optionsOf(command, commandOptions.update, typed));
    case 'show':
      return show(await stack(), optionsOf(command, commandOptions.show, typed));
    case 'list':
      optionsOf(command, commandOptions.list, typed);
      return list(await stack());
    case 'add-key':
      return addKey(await stack(), optionsOf('add-key', commandOptions['add-key'], typed), now);
    case 'rotate-key':
      return rotateKey(await stack(), optionsOf('rotate-key', commandOptions['rotate-key'], typed), now);
    case 'list-keys':
      return listKeys(await stack(), optionsOf('list-keys', commandOptions['list-keys'], typed));
    case 'revoke-key':
      return revokeKey(await stack(), optionsOf('revoke-key', commandOptions['revoke-key'], typed), now);
    case 'evidence':
      return showEvidence(await stack(), optionsOf('evidence', commandOptions.evidence, typed));
    case 'add-webhook':
      return addWebhook(await stack(), optionsOf('add-webhook', commandOptions['add-webhook'], typed), now);
    case 'update-webhook':
      return updateWebhook(await stack(), optionsOf(command, webhookCommandOptions[command], typed));
    case 'delete-webhook':
      return deleteWebhook(await stack(), optionsOf(command, webhookCommandOptions[command], typed));
    case 'list-webhooks':
      return listWebhooks(await stack(), optionsOf(command, webhookCommandOptions[command], typed));
    case 'enable-webhook':
      return enableWebhook(await stack(), optionsOf(command, webhookCommandOptions[command], typed));
    case 'disable-webhook':
      return disableWebhook(await stack(), optionsOf(command, webhookCommandOptions[command], typed), now);
    case 'test-webhook':
      return testWebhook(await stack(), optionsOf(command, webhookCommandOptions[command], typed), now);
    case 'deliveries':
      return showDeliveries(await stack(), optionsOf(command, webhookCommandOptions[command], typed), now);
    case 'resend':
      return resend(await stack(), optionsOf(command, webhookCommandOptions[command], typed), now);
    case 'replay':
      return replay(await stack(), optionsOf(command, webhookCommandOptions[command], typed), now);
    case 'redrive':
      return redrive(await stack(), optionsOf('redrive', redriveOptions, typed), now);
    case 'rotate-secret':
      return rotateSecret(await stack(), optionsOf('rotate-secret', commandOptions['rotate-secret'], typed), now);
    default:
      throw new UsageError(command === undefined ? 'Name a command.' : `There is no command "${command}".`);
  }
}

/** Every option of every command takes a text. */
const textOptions = [...new Set(Object.values({ ...commandOptions, ...webhookCommandOptions, redrive: redriveOptions }).flatMap((schema) => Object.keys(schema.shape)))];

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
        ...Object.fromEntries(textOptions.map((name) => [name, { type: 'string' } as const])),
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : 'The options cannot be understood');
  }
}

/** What a receiver answered is shown too: nothing of it may steer the terminal or turn the text around. */
function printable(text: string): string {
  return text.replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function answerCommandLine(args: string[]): Promise<string> {
  const { values, positionals } = parseCommandLine(args);
  const { json, help, data, stack, ...options } = values;
  if (help) return usage;
  const typed: Record<string, unknown> = options;
  const [command, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`One command at a time: what is "${others[0]}"?`);
  const open = () => (stack === undefined ? findLocalStack(String(data)) : findDeployedStack(String(stack)));
  const answer = await run(command, open, typed, Date.now());
  if ((command === 'rotate-secret' || command === 'update-webhook') && stack === undefined) await keepStackFile(String(data), typed['endpoint'], answer);
  return printable(JSON.stringify(answer, null, json ? undefined : 2));
}

const wantsJson = process.argv.includes('--json');
try {
  console.log(await answerCommandLine(process.argv.slice(2)));
} catch (error) {
  const message = error instanceof OperatorError ? error.message : `The command failed: ${error instanceof Error ? error.message : 'unknown fault'}`;
  if (wantsJson) console.log(JSON.stringify({ error: message }));
  else console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
  process.exitCode = 1;
}
