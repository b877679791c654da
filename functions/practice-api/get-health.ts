import { Problem } from '../contract/problem.ts';
import { healthRoute } from '../contract/health-route.ts';
import { tableNames } from '../environment.ts';
import { handlerOf } from '../http/route-handler.ts';
import { logFault } from '../log.ts';
import { connect } from '../store/database.ts';
import { readLimits } from '../store/practices/rate-limits.ts';

const database = connect(tableNames('rateLimits'));

export const handler = handlerOf(() => ({
  problems: healthRoute.problems,
  async respond() {
    try {
      await readLimits(database);
    } catch (error) {
      logFault('table not read', error);
      throw new Problem('temporarily_unavailable', 'Try again later.', { headers: { 'retry-after': '60' } });
    }
    return { statusCode: healthRoute.status, headers: { 'content-type': 'application/json' }, body: '{}' };
  },
}));
