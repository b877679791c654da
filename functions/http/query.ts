import * as z from 'zod/mini';
import { requestProblem } from './problem.ts';
import { describeFault } from './request.ts';

/**
 * Parses a query string; throws a problem with every fault that it has. A parameter that the schema has as an array may be repeated,
 * every other one given once. It is read raw, as the gateway joins repeated parameters with commas.
 */
export function parseQuery<Shape extends z.core.$ZodShape>(
  rawQueryString: string,
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
): z.output<z.ZodMiniObject<Shape, z.core.$strict>> {
  const parameters = new URLSearchParams(rawQueryString);
  const given = Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, isRepeatable(schema.shape[name]) || values.length > 1 ? values : values[0]];
    }),
  );
  const parsed = z.safeParse(schema, given);
  if (parsed.success) return parsed.data;
  throw requestProblem(
    parsed.error.issues.map((issue) => describeFault(issue, given, (path) => String(path[0] ?? ''))),
  );
}

function isRepeatable(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodMiniOptional) return isRepeatable(schema._zod.def.innerType);
  return schema instanceof z.ZodMiniArray;
}
