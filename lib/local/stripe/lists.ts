import * as z from 'zod';
import { missing } from './errors.ts';

const range = z.object({
  gt: z.number().optional(),
  gte: z.number().optional(),
  lt: z.number().optional(),
  lte: z.number().optional(),
});

const listQuery = z.object({
  created: z.union([range, z.number()]).optional(),
  limit: z.number().default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
});

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** One page of what fits the query. `objects` are newest first. Any other field of the query must equal the object's. */
export function listPage(objects: readonly Listed[], query: unknown, url: string): object {
  const { created, limit, starting_after: after, ending_before: before } = listQuery.parse(query);
  const { created: _created, limit: _limit, starting_after: _after, ending_before: _before, ...equal } = filters(query);
  const found = objects.filter((object) => inRange(object.created, created) && equals(object, equal));
  const start = after === undefined ? 0 : indexOf(objects, found, after) + 1;
  const end = before === undefined ? found.length : indexOf(objects, found, before);
  const size = Math.min(Math.max(limit, 1), 100);
  const data = before === undefined ? found.slice(start, start + size) : found.slice(Math.max(end - size, start), end);
  const hasMore = before === undefined ? start + size < found.length : end - size > start;
  return { object: 'list', data, has_more: hasMore, url };
}

function filters(query: unknown): Record<string, unknown> {
  const { expand: _expand, types, ...others } = z.looseObject({ types: z.array(z.string()).optional() }).parse(query);
  return types === undefined ? others : { ...others, type: types };
}

function equals(object: object, equal: Record<string, unknown>): boolean {
  const fields = new Map<string, unknown>(Object.entries(object));
  return Object.entries(equal).every(([name, value]) =>
    Array.isArray(value) ? value.includes(fields.get(name)) : fields.get(name) === value,
  );
}

function inRange(created: number, wanted: z.infer<typeof listQuery>['created']): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return created === wanted;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted;
  return created > gt && created >= gte && created < lt && created <= lte;
}

function indexOf(objects: readonly Listed[], found: readonly Listed[], cursor: string): number {
  if (!objects.some(({ id }) => id === cursor)) throw missing('object', cursor, 'starting_after');
  return found.findIndex(({ id }) => id === cursor);
}
