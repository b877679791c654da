import type * as z from 'zod/mini';
import type { dashboardPlatformRoutes } from '../contract/practices/dashboard-platforms.ts';
import { pick } from '../domain/collections.ts';
import { searchable } from '../domain/plain-text.ts';
import type { ModeTools } from '../store/database.ts';
import { namesOfPlatform, stillOfPlatform } from '../store/practices/platforms.ts';
import { missingForLinks } from './go-live.ts';

type Query = z.output<typeof dashboardPlatformRoutes.listPlatformPractices.query>;

const pageSize = 50;

/** By name, which the index cannot do: it reads the names of all. The cursor is a position. */
export async function searchPractices(
  tools: ModeTools,
  { platformId, name = '', cursor = '0' }: Query & { readonly platformId: string },
) {
  const words = searchable(name);
  const found = (await namesOfPlatform(tools.database, platformId))
    .filter((each) => searchable(each.name).includes(words))
    .sort((left, right) => left.name.localeCompare(right.name) || left.practiceId.localeCompare(right.practiceId));
  const end = Number(cursor) + pageSize;
  const practices = await stillOfPlatform(tools.database, platformId, found.slice(Number(cursor), end));
  const data = await Promise.all(
    practices.map(async (practice) => ({
      ...pick(practice, ['practiceId', 'name', 'suspendedAt', 'closedAt', 'debitsStoppedAt']),
      platformSince: practice.platformSince ?? practice.createdAt,
      missingForLinks: await missingForLinks(tools, practice),
    })),
  );
  return { data, nextCursor: end < found.length ? String(end) : null };
}
