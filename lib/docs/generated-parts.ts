import { keyProblems, type PracticeRoute } from '../../functions/contract/practice-route.ts';
import {
  apiRoutes,
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
  livePatientRoutes,
  patientRoutes,
} from '../../functions/contract/routes.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import { serverProblems, type Problems } from '../../functions/contract/problems.ts';
import { bodySchemas, parameterSchemas } from '../openapi/schemas.ts';
import type * as z from 'zod';

const generated = /<!-- (request|response|webhook|parameters|problems|other-problems): (\w+) -->\n[^]*?<!-- end -->/g;

/** Fills the text between `<!-- request: Schema -->` and `<!-- end -->` from the contract. Throws for an unknown name. */
export function withGeneratedParts(markdown: string): string {
  return markdown.replaceAll(generated, (_, kind: string, name: string) => {
    return `<!-- ${kind}: ${name} -->\n\n${partOf(kind, name)}\n\n<!-- end -->`;
  });
}

function partOf(kind: string, name: string): string {
  switch (kind) {
    case 'problems':
      return problemsOf(name);
    case 'other-problems':
      return otherProblems();
    case 'parameters':
      return parametersOf(name);
    case 'webhook':
      return webhookTable(name);
    case 'request':
      return table(fieldTitles('Required'), fieldRows('request', name));
    default:
      return table(fieldTitles('Present'), fieldRows('response', name));
  }
}

function parametersOf(name: string): string {
  const { query, parameters = {} } = routeOf(name);
  const rows = Object.entries(parameterSchemas(query)).map(([key, field]) => [
    `\`${key}\``,
    withDefault(field),
    sentence(parameters[key]),
  ]);
  return table(['Parameter', 'Type and limits', 'Meaning'], rows);
}

/** Lists fields that a session has, too, by name only. */
function webhookTable(name: string): string {
  const ofSession = new Set(fieldRows('response', 'Session').map((row) => row.join('|').replace('`', '`data.')));
  const rows = fieldRows('response', name);
  const own = rows.filter((row) => !ofSession.has(row.join('|')));
  const shared = rows.filter((row) => !own.includes(row)).map(([field = '']) => field.replace('data.', ''));
  const named = shared.filter((field) => !shared.some((parent) => field.startsWith(parent.replace(/`$/, '.'))));
  const link = '[a session](sessions.md#get-a-session)';
  return `${table(fieldTitles('Present'), own)}\n\n\`data\` also has these fields of ${link}: ${named.join(', ')}.`;
}

const fieldTitles = (presence: string) => ['Field', 'Type and limits', presence, 'Meaning'];

function fieldRows(kind: 'request' | 'response', name: string): string[][] {
  const [yes, no] = kind === 'request' ? ['yes', 'no'] : ['always', 'sometimes'];
  const found = bodySchemas()[name];
  if (found === undefined) throw new Error(`There is no schema ${name}.`);
  return fieldsOf(found).map(({ path, field, required }) => [
    `\`${path}\``,
    kind === 'request' ? withDefault(field) : typeWords(field),
    required ? yes : no,
    sentence(field.description),
  ]);
}

interface Field {
  readonly path: string;
  readonly field: Schema;
  readonly required: boolean;
}

function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = only(value);
    return [
      { path: `${prefix}${name}`, field, required: required.includes(name) },
      ...fieldsOf(field, `${prefix}${name}.`),
    ];
  });
}

/** The problems of one route, except those that every call has. */
function problemsOf(name: string): string {
  const codes = Object.keys(routeOf(name).problems).filter((code) => !(code in keyProblems || code in serverProblems));
  if (codes.length === 0) return 'Only the [problems of every call](errors.md#codes).';
  return `Problems, in addition to [those of every call](errors.md#codes): ${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

/** Problems that occur only in the hosted page's and the dashboard's calls. */
function otherProblems(): string {
  const own = new Set(problemsOfRoutes(apiRoutes).map(([code]) => code));
  const others = problemsOfRoutes({
    ...patientRoutes,
    ...livePatientRoutes,
    ...dashboardRoutes,
    ...liveDashboardRoutes,
    ...sandboxDashboardRoutes,
    receiveStripeEventRoute,
  }).filter(([code]) => !own.has(code));
  const rows = [...new Map(others)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, { status, title }]) => [`\`${code}\``, `${status}`, sentence(title)]);
  return table(['Code', 'Status', 'Meaning'], rows);
}

function problemsOfRoutes(routes: Readonly<Record<string, { readonly problems: Problems }>>) {
  return Object.values(routes).flatMap(({ problems }) => Object.entries(problems));
}

function routeOf(name: string): PracticeRoute {
  const routes: Readonly<Record<string, PracticeRoute>> = apiRoutes;
  const route = routes[name];
  if (route === undefined) throw new Error(`There is no route ${name}.`);
  return route;
}

function withDefault(field: Schema): string {
  return field.default === undefined
    ? typeWords(field)
    : `${typeWords(field)}; default ${JSON.stringify(field.default)}`;
}

/** Drops a cell's final period. */
function sentence(text = ''): string {
  return text.replace(/\.$/, '').replaceAll('|', '\\|');
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n').replaceAll('|  |', '| |');
}

type Schema = z.core.JSONSchema.JSONSchema;

const inWords = (count: number) => count.toLocaleString('en-US');

/** Type and limits. */
function typeWords(field: Schema): string {
  if (field.anyOf) return field.anyOf.map((each) => typeWords(only(each))).join(' or ');
  if (field.const !== undefined) return code(field.const);
  const values = field.enum ?? field['x-extensible-enum'];
  if (Array.isArray(values)) return listed(values.map(code));
  if (field.format === 'date-time') return 'time';
  if (field.format === 'uri') return 'URL';
  const type = [field.type ?? 'any'].flat().join(' or ');
  const limits = limitsOf(field);
  return limits === '' ? type : `${type}, ${limits}`;
}

function limitsOf(field: Schema): string {
  const [keys, values, items] = [only(field.propertyNames), only(field.additionalProperties), itemsOf(field)];
  if (keys.maxLength !== undefined)
    return (
      `at most ${field.maxProperties} keys of ${range(keys.minLength, keys.maxLength)} characters, ` +
      `with strings of ${range(values.minLength, values.maxLength ?? 0)} characters`
    );
  if (field.maxLength !== undefined) return `${range(field.minLength, field.maxLength)} characters`;
  if (field.maximum !== undefined) return range(field.minimum, field.maximum);
  if (field.maxItems !== undefined) return `${range(field.minItems, field.maxItems)} of ${typeWords(items)}`;
  return items.enum ? `of ${typeWords(items)}` : '';
}

function itemsOf({ items }: Schema): Schema {
  return Array.isArray(items) ? {} : only(items);
}

/** A schema can also be a boolean, which says nothing here. */
function only(schema: boolean | Schema | undefined): Schema {
  return typeof schema === 'object' ? schema : {};
}

function range(least: number | undefined, most: number): string {
  return least === undefined ? `at most ${inWords(most)}` : `${inWords(least)} to ${inWords(most)}`;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
