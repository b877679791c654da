import { expect, it } from 'vitest';
import * as z from 'zod';
import { operators } from '../../lib/local/event-pattern.ts';
import { isObject } from '../../lib/local/json.ts';
import { honored, inertTypes } from '../../lib/local/template.ts';
import { appTemplate, liveAssembly, sandboxAssembly } from '../support/built.ts';

const templates = [
  (await sandboxAssembly()).template,
  (await liveAssembly()).template,
  // This app reserves concurrency and has no alias.
  await appTemplate('app-without-options'),
  // Without email, the operator's topic is told.
  await appTemplate('app-sandbox'),
] as { Resources: Record<string, { Type: string; Properties?: object }> }[];
const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
// CDK's own function copies the page into its bucket.
const own = resources.filter(({ Properties }) => !JSON.stringify(Properties ?? {}).includes('python3.13'));

/** Every property name and every value in it, at any depth. */
function wordsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...wordsIn(inner)]) : [value];
}

/** Every property name that a JSON schema allows, and every value that it lists, at any depth. */
function wordsOf(schema: unknown): unknown[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (!isObject(schema)) return [];
  const { properties, enum: choices, const: only, default: _, ...others } = schema;
  const named = isObject(properties)
    ? Object.entries(properties).flatMap(([key, inner]) => [key, ...wordsOf(inner)])
    : [];
  const listed = Array.isArray(choices) ? choices : [];
  return [...named, ...listed, ...(only === undefined ? [] : [only]), ...wordsOf(Object.values(others))];
}

it.each(Object.values(honored))(
  'every property of $type that the local stack knows is used',
  ({ type, properties }) => {
    const used = new Set(own.filter(({ Type }) => Type === type).flatMap(({ Properties }) => wordsIn(Properties)));
    expect(used.size).toBeGreaterThan(0);
    expect(wordsOf(z.toJSONSchema(properties, { unrepresentable: 'any' })).filter((word) => !used.has(word))).toEqual(
      [],
    );
  },
);

it('every type that it ignores is used', () => {
  const used = (name: string) =>
    resources.some(({ Type }) => (name.endsWith('::') ? Type.startsWith(name) : Type === name));
  expect(Object.keys(inertTypes).filter((name) => !used(name))).toEqual([]);
});

it.each([...operators.keys()])('the operator %s of a pattern is used', (operator) => {
  const patterns = own.filter(({ Type }) => Type === 'AWS::Events::Rule' || Type === 'AWS::Lambda::EventSourceMapping');
  // A pattern of a filter is JSON within JSON.
  expect(JSON.stringify(patterns).replaceAll('\\', '')).toContain(`{"${operator}":`);
});
