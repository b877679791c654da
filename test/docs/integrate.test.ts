import { describe, expect, it } from 'vitest';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import { failure } from '../../functions/domain/debit.ts';
import { testEventType } from '../../functions/domain/event.ts';
import { webhookWaits } from '../../functions/domain/retry-schedule.ts';
import { sandboxUserNames } from '../../functions/domain/sandbox-bank.ts';
import { sessionBlocks } from '../../functions/domain/session-block.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { sessionEvents, sessionStatuses } from '../../functions/domain/transitions.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { problems } from '../support/problems.ts';
import { stateDiagram } from '../support/state-diagram.ts';
import { pageText, sectionOf, tableRows } from './pages.ts';

const textOf = (page: string) => pageText(`web/docs/${page}.md`);
const rows = (page: string, heading?: string) =>
  tableRows(heading === undefined ? textOf(page) : sectionOf(textOf(page), heading));
const firstCells = (page: string, heading?: string) => rows(page, heading).map(([first]) => first);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly [bound: string]: unknown;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Record<string, { readonly content?: Record<string, object> }>;
}
const document = openApiDocument('1.0.0') as unknown as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

function fieldsOf(
  { properties = {}, required = [] }: Schema,
  prefix = '',
): [string, { always: boolean; schema: Schema }][] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    [`${prefix}${name}`, { always: required.includes(name), schema }] as [string, { always: boolean; schema: Schema }],
    ...fieldsOf(schema, `${prefix}${name}.`),
  ]);
}

describe("the pages for a practice's developer", () => {
  it.each([
    ['sessions', '## Create a session', ['CreateSessionRequest', 'CreatedSession']],
    ['sessions', '## Get a session', ['Session']],
    ['sessions', '## List sessions', ['SessionList']],
    ['testing', '## Simulate a patient', ['SimulateSessionRequest']],
    ['sessions', '## Cancel a session', ['CancelledSession']],
    ['events', undefined, ['EventList', 'Event']],
    ['webhook-endpoints', undefined, ['CreateWebhookEndpointRequest', 'WebhookEndpoint']],
  ])('lists every field in %s, "%s", and says whether it is always there', (page, heading, names) => {
    const documented = rows(page, heading)
      .filter(([, , presence = '']) => /^(yes|no|always|if|once)/.test(presence))
      .map(([name, , presence]) => [name, /^(yes|always)/.test(presence ?? '')]);
    const actual = names.flatMap((name) => fieldsOf(document.components.schemas[name] ?? {}));
    expect(documented).toEqual(actual.map(([name, { always }]) => [name, always]));
  });

  it('gives the bounds of every field of a new session', () => {
    const inputs = rows('sessions', '## Create a session').filter(([, , required = '']) => /^(yes|no)$/.test(required));
    const documented = new Map(inputs.map(([name = '', ...cells]) => [name, cells.join(' ')]));
    const bounds = fieldsOf(document.components.schemas['CreateSessionRequest'] ?? {}).flatMap(([name, { schema }]) => {
      const { maxLength, minimum, maximum, maxProperties, propertyNames, additionalProperties } = schema;
      const inner = [propertyNames, additionalProperties].map((each) => (each as Schema | undefined)?.['maxLength']);
      return [maxLength, minimum, maximum, maxProperties, ...inner]
        .filter((bound) => typeof bound === 'number')
        .map((bound) => [name, bound.toLocaleString('en-US')] as const);
    });
    expect(bounds.length).toBeGreaterThan(6);
    for (const [name, bound] of bounds) expect(documented.get(name), name).toMatch(new RegExp(`\\b${bound}\\b`));
  });

  it.each([
    ['sessions', '## List sessions', '/api/practice/sessions'],
    ['events', undefined, '/api/practice/events'],
  ])('lists every query parameter in %s, "%s"', (page, heading, path) => {
    const documented = rows(page, heading).filter((cells) => cells.length === 2);
    const { parameters = [] } = document.paths[path]?.['get'] ?? {};
    expect(documented.map(([name]) => name)).toEqual(parameters.map(({ name }) => name));
  });

  it('lists every field of a webhook', () => {
    const documented = rows('webhooks').filter(([, , presence = '']) => /^(always|by type)/.test(presence));
    const actual = fieldsOf(document.components.schemas['SessionWebhook'] ?? {}).filter(
      ([name]) => name.split('.').length < 3,
    );
    expect(documented.map(([name, , presence]) => [name, presence === 'always']).sort()).toEqual(
      actual.map(([name, { always }]) => [name, always]).sort(),
    );
  });

  it('lists every problem of the practice API with its status and title', () => {
    const codes = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content }) => {
        const text = JSON.stringify(content?.['application/problem+json'] ?? {});
        return Object.keys(problems).filter((code) => text.includes(`"${code}"`));
      });
    const expected = [...new Set([...codes, 'route_not_found', 'method_not_allowed'])] as (keyof typeof problems)[];
    const documented = rows('errors').filter(([, status = '']) => /^\d+$/.test(status));
    expect(documented.map(([code, status, meaning]) => [code, Number(status), `${meaning}.`]).sort()).toEqual(
      expected.map((code) => [code, problems[code].status, problems[code].title]).sort(),
    );
  });

  it('quotes the titles of its example problems', () => {
    const examples = [...textOf('errors').matchAll(/"title":"([^"]+)"[^]*?"code":"(\w+)"/g)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, title, code] of examples) expect(title).toBe(problems[code as keyof typeof problems].title);
  });

  it('lists every status, block, error, failure, test user and event', () => {
    expect(firstCells('sessions', '# Sessions').slice(0, sessionStatuses.length)).toEqual(sessionStatuses);
    const errors = rows('errors').filter((cells) => cells.length === 2);
    expect(errors.map(([code]) => code)).toEqual(Object.keys(requestErrors));
    expect(firstCells('sessions', '### What keeps a session from being paid?')).toEqual(sessionBlocks);
    expect(firstCells('sessions', '### Failure codes')).toEqual(failure.shape.code.options);
    expect(firstCells('testing', '## Test users')).toEqual(sandboxUserNames);
    const events = rows('webhooks').filter(([type = '']) => /^(session|webhook)\./.test(type));
    const facts = Object.entries(sessionEvents).map(([type, { facts }]) => [type, facts.join(', ')]);
    expect(events.map(([type, , facts]) => [type, facts])).toEqual([...facts, [testEventType, 'none: data is {}']]);
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

  it('shows the state diagram of the transitions table', () => {
    expect(textOf('sessions')).toContain(`\`\`\`mermaid\n${stateDiagram()}\n\`\`\``);
  });
});
