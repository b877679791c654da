import type * as z from 'zod/mini';
import { schemaAt } from './expectation.ts';
import { isMetadata, pointerTo, requestErrors, type RequestError } from './request-errors.ts';

/** An object or array as it was sent. */
export interface SentNames {
  /** In the order sent, including repeats. */
  readonly names: readonly string[];
  /** The objects and arrays in it, by name or position. */
  readonly inside: ReadonlyMap<string, SentNames>;
}

/** Returns an error for each name that an object in the body repeats. Pointers contain only names from the schema. */
export function repeatedKeys(sent: SentNames, body: z.core.$ZodType): RequestError[] {
  const places: Place[] = [{ sent, schema: body, path: ['body'] }];
  const errors: RequestError[] = [];
  // Not recursive: a deeply nested body would overflow the stack.
  for (const place of places) {
    errors.push(...repeatsIn(place));
    for (const [name, inner] of place.sent.inside) {
      const schema = fieldAt(place, name);
      places.push({ sent: inner, schema, path: schema ? [...place.path, name] : place.path });
    }
  }
  return errors;
}

/** If `schema` is undefined, `path` leads to the innermost field that has one. */
interface Place {
  readonly sent: SentNames;
  readonly schema: z.core.$ZodType | undefined;
  readonly path: readonly string[];
}

function repeatsIn(place: Place): RequestError[] {
  const times = new Map<string, number>();
  return place.sent.names.flatMap((name, index) => {
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    if (count !== 2) return [];
    const isField = fieldAt(place, name) !== undefined;
    return [
      {
        pointer: pointerTo(isField ? [...place.path, name] : place.path),
        ...(place.schema && !isField && { index }),
        code: 'repeated_key',
        detail: requestErrors.repeated_key,
      },
    ];
  });
}

/** Metadata keys are the caller's own words. */
function fieldAt({ schema, path: [, field] }: Place, name: string): z.core.$ZodType | undefined {
  return schema && !isMetadata(field) ? schemaAt(schema, [name], false) : undefined;
}
