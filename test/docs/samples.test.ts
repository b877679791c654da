import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, it } from 'vitest';
import { practiceScopes } from '../../functions/domain/practices/api-key.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { addEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { author } from '../support/create-practice.ts';
import {
  installClient,
  pagesWithSamples,
  pageText,
  sampleLanguages,
  samplesIn,
  type Sample,
  type SampleLanguage,
} from './pages.ts';
import { freePort } from '../support/server.ts';
import type { SharedStack } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { noPython, pythonEnvironment } from '../support/python.ts';

const run = promisify(execFile);
const quickStart = samplesIn(pageText('web/docs/integrate.md'));

/** Skips the repository's own commands, which other tests run, and samples that need a registry. */
const isCommand = ({ language, text }: Sample) =>
  language === 'sh' && /^(npm |pip |python3 -m venv|go |java |PRACTICE=)/.test(text);
/** Whole files: all others use `payments`. The receivers and `pay.ts` have their own tests. */
const isFile = ({ name }: Sample) => name !== undefined;
const isSetUp = ({ language, text }: Sample) => language === 'sh' && text.startsWith('export PAYMENTS_API_URL');

const samples = pagesWithSamples.flatMap((page) =>
  samplesIn(pageText(`web/docs/${page}.md`))
    .filter((sample) => !isCommand(sample) && !isFile(sample) && !isSetUp(sample))
    .map((sample, index) => ({ page, index, ...sample })),
);

const exampleSession = 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS';
const exampleEvent = 'evt_01M7WT8GBK9JN8GY3CPDSZDMFS_1';
const exampleEndpoint = 'whe_8Kv79apPAHCAR7MeEt5v';

let stack: SharedStack;
let directory: string;
onStack.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  directory = await mkdtemp(join(tmpdir(), 'payment-samples-'));
  await installClient(directory);
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await mkdir(join(directory, '.local'));
  for (const { name, text } of quickStart.filter(isFile)) await writeFile(join(directory, name ?? ''), text);
});
afterAll(() => rm(directory, { recursive: true }));

/** A practice with a key that may do everything. */
async function aPractice(name: string) {
  const service = await stack.openPractice(`${name}.samples.example`);
  const { practiceId } = service.practice;
  const key = { practiceId, author, name: 'Samples', scopes: [...practiceScopes] };
  const { apiKey } = await addKey(service.operated, key, Date.now());
  // Retries, because what it sets up is not what these tests are about.
  return { ...service, client: createPaymentClient({ apiUrl: service.apiUrl, apiKey }), apiKey };
}
type Practice = Awaited<ReturnType<typeof aPractice>>;

const needsPaid = /\/status"|sessions\.get\(|erase|authorization"|getAuthorization|get_authorization/;

/** Sets up the session and the event that the text around the sample has. */
async function withRealIds(
  { client, createSession, receiver, practice: { endpointId } }: Practice,
  paid: string,
  { text, page }: (typeof samples)[number],
) {
  const isPaid = page === 'errors' || needsPaid.test(text) || !text.includes(exampleSession);
  const sessionId = isPaid ? paid : (await createSession()).sessionId;
  const { eventId } = /resend/.test(text) ? await client.webhookEndpoints.test(endpointId) : { eventId: exampleEvent };
  return (
    text
      .replaceAll(exampleEvent, eventId)
      .replaceAll(exampleSession, sessionId)
      .replaceAll(exampleEndpoint, endpointId)
      // Endpoints of the local stack are on this machine.
      .replaceAll('https://vendor.example/webhooks', receiver.url)
      .replaceAll('cancel-inv-1043', `cancel-${sessionId}`)
  );
}

const mark = '--- sample ---';

/** Runs the samples one after the other, in one process, and returns what each printed. */
async function outputsOf(language: SampleLanguage, texts: readonly string[], { apiUrl, apiKey }: Practice) {
  const ending = { sh: 'sh', ts: 'ts', python: 'py' }[language];
  for (const [index, text] of texts.entries()) await writeFile(join(directory, `sample-${index}.${ending}`), text);
  // Samples in other languages have the key in a variable.
  if (language === 'sh')
    await writeFile(join(directory, '.local/stack.json'), JSON.stringify({ practice: { apiKey } }));
  const setUp = quickStart.find(isSetUp)?.text.replace('http://127.0.0.1:4000', apiUrl) ?? '';
  const file = `sample-$index.${ending}`;
  // A busy stack can answer 503. The other languages' clients retry by themselves.
  const commands = {
    sh: [
      'sh',
      '-ec',
      `${setUp}\ncurl() { command curl --show-error --retry 5 "$@"; }\n` +
        `for index in $(seq 0 ${texts.length - 1}); do echo '${mark}'; (. "./${file}"); done`,
    ],
    ts: [
      process.execPath,
      '--input-type=module',
      '--eval',
      `for (let index = 0; index < ${texts.length}; index += 1) { console.log('${mark}'); await import(\`./${file.replace('$index', '${index}')}\`); }`,
    ],
    python: [
      'python3',
      '-c',
      `import runpy\nfor index in range(${texts.length}):\n  print('${mark}')\n  runpy.run_path(f'${file.replace('$index', '{index}')}')`,
    ],
  };
  const [command = '', ...parameters] = commands[language];
  // A slash at the end is a common mistake.
  const env = {
    ...process.env,
    ...pythonEnvironment,
    PAYMENTS_API_URL: `${apiUrl}/`,
    PAYMENTS_API_KEY: apiKey,
    NODE_OPTIONS: '',
  };
  const { stdout } = await run(command, parameters, { cwd: directory, env, timeout: 240_000 });
  return stdout.split(`${mark}\n`).slice(1);
}

const outputs: Readonly<Record<string, RegExp>> = {
  integrate: /^Lakeside \S+|"practiceId":|^ses_\w{26} http:|^succeeded$|"sessionId":"ses_/m,
  clients: /^http:/,
  sessions:
    /^erased: \d+, not ended:|"erased":\[|^http:|^succeeded 20|^ses_\w{26} \S+ \w+$|^cancelled 20|^20\d\d-\S+ 20\d\d-|^I, Ada Okafor,|"(sessionId|data)":/m,
  testing:
    /^failed insufficient_funds$|^succeeded R01$|^session\.payment\.succeeded( v1,\S+)?$|"status":"(failed|succeeded)"/m,
  events: /^evt_\w+ session\.payment\.\w+ 20|"data":\[\{"eventId"/m,
  'webhook-endpoints':
    /^whe_\w+|^enabled$|^evt_\w+$|^20\d\d-|^deleted$|^\d+ (failed|replayed)$|"(data|endpointId|eventId|replayed|signingSecret|status)":/m,
  errors: /session_not_cancellable/,
};

describe.for(sampleLanguages)('samples in %s', (language) => {
  const own = samples.filter((sample) => sample.language === language);

  const options = { skip: language === 'python' && noPython };
  it('run against the local stack, in the order of the pages', options, async ({ expect }) => {
    expect(own.length).toBeGreaterThan(10);
    const practice = await aPractice(language);
    const { sessionId: paid } = await practice.createSession();
    await practice.client.sandbox.simulate(paid, 'user_good');
    const texts: string[] = [];
    for (const sample of own) texts.push(await withRealIds(practice, paid, sample));
    const printed = await outputsOf(language, texts, practice);
    const endpoints = await practice.client.webhookEndpoints.list();
    for (const [number, { page, index, text }] of own.entries()) {
      const output = printed[number] ?? '';
      expect(output, `${page}, sample ${index}: ${text}`).toMatch(outputs[page] ?? /^$/);
      if (!text.includes('https://vendor.example/webhooks')) continue;
      const ids = endpoints.map(({ endpointId }) => endpointId);
      expect(ids, 'the sample creates an endpoint every time').toContain(/whe_\w+/.exec(output)?.[0]);
    }
  });
});

it('pay.ts pays, and verifies its webhooks', async ({ expect, onTestFinished }) => {
  const port = await freePort();
  const { operated, practice, apiKey, apiUrl } = await aPractice('pay');
  const endpoint = { practiceId: practice.practiceId, author, url: `http://127.0.0.1:${port}/` };
  const { signingSecret } = await addEndpoint(operated, endpoint, Date.now());
  const { text = '' } = quickStart.find(({ name }) => name === 'pay.ts') ?? {};
  await writeFile(join(directory, 'pay.ts'), text.replace('4900', String(port)));
  const child = spawn(process.execPath, ['pay.ts'], {
    cwd: directory,
    env: { PAYMENTS_API_URL: apiUrl, PAYMENTS_API_KEY: apiKey, WEBHOOK_SECRET: signingSecret },
  });
  onTestFinished(() => void child.kill());
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (printed += String(chunk)));
  const expected = [
    /status: 'succeeded'/,
    /verified session\.payment\.processing/,
    /verified session\.payment\.succeeded/,
  ];
  await expect.poll(() => expected.filter((each) => !each.test(printed))).toEqual([]);
});
