import { platformApiRoutes } from '../contract/practices/platform-practices.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { listPlatformPractices } from '../practices/platform-practices.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(tools, platformApiRoutes.listPractices, ({ practiceId: platformId }, { query }) =>
  listPlatformPractices(tools, { platformId, ...query }),
);
