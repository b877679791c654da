import * as z from 'zod';
import { openApiDocument } from '../document.ts';

/** The parts of a schema that the Python package expresses in types. */
const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  const: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  'x-extensible-enum': z.array(z.string()).optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
});
export type Schema = z.infer<typeof schema>;

const json = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });

const operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  description: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema })).default([]),
  requestBody: json.extend({ required: z.boolean() }).optional(),
  responses: z.record(z.string(), z.unknown()),
});

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

export interface Operation extends Omit<z.infer<typeof operation>, 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly answer: Schema;
}

export interface Contract {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

export function readContract(): Contract {
  const { paths, components } = document.parse(openApiDocument('1'));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, ...rest }]) => {
      const success = json.parse(responses['200'] ?? responses['201']);
      return { ...rest, method: method.toUpperCase(), path, answer: success.content['application/json'].schema };
    }),
  );
  return { operations, schemas: components.schemas };
}
