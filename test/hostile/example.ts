import * as z from 'zod';
import { none, type Route } from '../../functions/contract/route.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** A body that the route may accept, with every field. Undefined for a route without a body. */
export function exampleBody({ body }: Pick<Route, 'body'>): unknown {
  return body === none ? undefined : exampleOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }));
}

const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T15:00:00Z',
  email: 'ada@example.com',
  // Nothing listens on this port.
  uri: 'http://127.0.0.1:1/in',
  uuid: '3f2c1b7e-8f0a-4c43-9d0e-5a7d1f6f2b11',
};

function exampleOf(schema: Schema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return 'x';
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)] as const),
      );
    case 'array':
      return [exampleOf(Array.isArray(schema.items) ? schema.items[0] : schema.items)];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 100, 100);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return ofFormat[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1);
  }
}
