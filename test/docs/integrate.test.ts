import { describe, expect, it } from 'vitest';
import { apiRoutes } from '../../functions/contract/routes.ts';
import { serverProblems } from '../../functions/contract/problems.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import { failure } from '../../functions/domain/payments/debit.ts';
import { testEventType } from '../../functions/domain/webhooks/event.ts';
import { attemptErrors } from '../../functions/domain/webhooks/delivery.ts';
import { webhookWaits } from '../../functions/domain/webhooks/retry-schedule.ts';
import { sandboxUserNames } from '../../functions/domain/payments/sandbox-bank.ts';
import { sessionBlocks } from '../../functions/domain/sessions/session-status.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { sessionEvents, sessionStatuses, transitions } from '../../functions/domain/sessions/transitions.ts';
import { withGeneratedParts } from '../../lib/docs/generated-parts.ts';
import { anchorOf } from '../../lib/docs/render.ts';
import { bodySchemas } from '../../lib/openapi/schemas.ts';
import { throttles } from '../../lib/constructs/http-api.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { problems } from '../support/problems.ts';
import { docs, pageText, sectionOf, tableRows } from './pages.ts';
import { isTerminal } from '../support/is-terminal.ts';

const textOf = (page: string) => pageText(`web/docs/${page}.md`);
const rows = (page: string, heading?: string) =>
  tableRows(heading === undefined ? textOf(page) : sectionOf(textOf(page), heading));
const firstCells = (page: string, heading?: string) => rows(page, heading).map(([first]) => first);

/** Only the operator's command has these. */
const internal = [
  'user_not_found',
  'queue_not_found',
  'platform_not_found',
  'practice_in_platform',
  'practice_in_no_platform',
];
const guide = docs.map((page) => pageText(page)).join('\n');
const routes = apiRoutes;

describe("the pages for a practice's developer", () => {
  it.each(docs)('%s is up to date: otherwise run `npm run docs`', (page) => {
    expect(withGeneratedParts(pageText(page))).toBe(pageText(page));
  });

  it('names several types in words', () => {
    expect(guide.match(/\| [a-z]+,[a-z]+ \|/gi)).toBeNull();
  });

  it('says what an absent field of a request stands for', () => {
    const fields = [
      ...rows('webhook-endpoints', '## Create an endpoint'),
      ...rows('webhook-endpoints', '## Rotate a secret'),
    ];
    const rowOf = (name: string) => fields.find(([field]) => field === name)?.join(' ');
    expect(rowOf('retryPolicy')).toContain('Absent: standard');
    expect(rowOf('keepOldHours')).toContain('default 24');
  });

  it('says when the body of an event is no longer what was sent', () => {
    expect(
      rows('events')
        .find(([field]) => field === 'body')
        ?.join(' '),
    ).toContain('Once the patient is erased');
    expect(textOf('events')).toContain('(sessions.md#erase-a-patient)');
  });

  it('names every call of the TypeScript client', () => {
    const client = createPaymentClient({ apiUrl: 'https://api.example.com', apiKey: 'key' });
    const table = sectionOf(textOf('clients'), '## TypeScript and JavaScript');
    for (const [group, calls] of Object.entries(client))
      for (const call of Object.keys(calls)) {
        const row = table.split('\n').find((line) => line.startsWith(`| \`${group}.`) && line.includes(call));
        expect(row, `${group}.${call}`).toBeDefined();
      }
  });

  it('documents every call and every body', () => {
    expect(Object.keys(routes).filter((name) => !guide.includes(`<!-- problems: ${name} -->`))).toEqual([]);
    const calls = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(calls.filter((call) => !guide.includes(`\`${call}\``))).toEqual([]);
    // Each is another body with one field more or less, or a single field that the prose describes.
    const said = [
      'CreatedWebhookEndpoint',
      'WebhookEndpointList',
      'DeletedWebhookEndpoint',
      'SentTestEvent',
      'WebhookDeliveryList',
      'ResentEvent',
      'PracticeJoinedWebhook',
      'TestWebhook',
    ];
    const names = Object.keys(bodySchemas()).filter((name) => !said.includes(name));
    expect(names.filter((name) => !new RegExp(`<!-- (request|response|webhook): ${name} -->`).test(guide))).toEqual([]);
  });

  it('lists every problem of the practice API with its status and title', () => {
    const codes = Object.values(routes).flatMap((route) => Object.keys(route.problems));
    const everywhere = [...Object.keys(serverProblems), 'route_not_found', 'method_not_allowed'];
    const expected = [...new Set([...codes, ...everywhere])] as (keyof typeof problems)[];
    const documented = rows('errors', '## Codes').filter(([, status = '']) => /^\d+$/.test(status));
    expect(documented.map(([code, status, meaning]) => [code, Number(status), `${meaning}.`]).sort()).toEqual(
      expected.map((code) => [code, problems[code].status, problems[code].title]).sort(),
    );
  });

  it('has an entry for the code of every problem', () => {
    expect(
      Object.keys(problems).filter((code) => !internal.includes(code) && !firstCells('errors').includes(code)),
    ).toEqual([]);
  });

  it('quotes the titles of its example problems', () => {
    const examples = [...textOf('errors').matchAll(/"title":"([^"]+)"[^]*?"code":"(\w+)"/g)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, title, code] of examples) expect(title).toBe(problems[code as keyof typeof problems].title);
  });

  it('lists every status, block, error, failure, test user and event', () => {
    expect(firstCells('sessions', '# Sessions').slice(0, sessionStatuses.length)).toEqual(sessionStatuses);
    const errors = rows('errors', '## Codes in `errors`');
    expect(errors.map(([code]) => code)).toEqual(Object.keys(requestErrors));
    expect(firstCells('sessions', '### What keeps a session from being paid?')).toEqual(sessionBlocks);
    expect(firstCells('sessions', '### Failure codes')).toEqual(failure.shape.code.options);
    expect(firstCells('testing', '## Test users')).toEqual(sandboxUserNames);
    const events = rows('webhooks').filter(([type = '']) => /^(session|practice|webhook)\./.test(type));
    const facts = Object.entries(sessionEvents).map(([type, { facts }]) => [type, facts.join(', ')]);
    const others = [
      ['practice.joined', 'joinedAt'],
      ['practice.left', 'joinedAt, leftAt'],
      [testEventType, 'none: data is {}'],
    ];
    expect(events.map(([type, , facts]) => [type, facts])).toEqual([...facts, ...others]);
  });

  it('gives the waits of the retry schedule', () => {
    const units = [
      [hour, 'h'],
      [minute, 'min'],
      [second, 's'],
    ] as const;
    const waits = webhookWaits.map((wait) => {
      const [size, unit] = units.find(([each]) => wait % each === 0) ?? [1, 'ms'];
      return `${wait / size} ${unit}`;
    });
    const written = `${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}`;
    expect(textOf('webhooks').replaceAll(/\s+/g, ' ')).toContain(written);
  });

  it('explains every reason for a failed attempt, where the email says', () => {
    const explained = firstCells('webhooks', '## Why did an attempt fail?');
    expect(explained.sort()).toEqual([...attemptErrors].sort());
    expect(anchorOf('Why did an attempt fail?')).toBe('why-did-an-attempt-fail');
  });

  it("gives the throttles of the practices' routes", () => {
    const { practiceSessions, practiceEndpoints } = throttles;
    const burst = practiceSessions.burst.toLocaleString('en-US');
    expect(sectionOf(textOf('versions'), '## Rate limits')).toContain(
      `${practiceSessions.rate} requests a second with bursts of ${burst}, ` +
        `for webhook endpoints ${practiceEndpoints.rate} and ${practiceEndpoints.burst}`,
    );
  });

  it('shows the state diagram of the transitions table', () => {
    expect(textOf('sessions')).toContain(`\`\`\`mermaid\n${stateDiagram()}\n\`\`\``);
  });
});

function stateDiagram(): string {
  const arrows = Object.values(transitions).flatMap(({ from, to, trigger, event }) =>
    from.map((status) => `  ${status} --> ${to}: ${trigger} / ${event}`),
  );
  const ends = sessionStatuses.filter(isTerminal).map((status) => `  ${status} --> [*]`);
  return ['stateDiagram-v2', '  [*] --> pending: practice creates a session', ...arrows, ...ends].join('\n');
}
