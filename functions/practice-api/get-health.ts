import { healthRoute } from '../contract/unlisted-routes.ts';
import { tableNames } from '../environment.ts';
import { routeHandler } from '../http/route-handler.ts';
import { connect } from '../store/database.ts';
import { readLimits } from '../store/practices/rate-limits.ts';

const database = connect(tableNames());

export const handler = routeHandler(
  healthRoute,
  async () => undefined,
  async () => {
    await readLimits(database);
    return {};
  },
);
