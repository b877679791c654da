import { platformApiRoutes } from '../contract/practices/platform-practices.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute, requireNamed } from '../http/practice-route.ts';
import { openPlatformPractice } from '../practices/platform-practices.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(tools, platformApiRoutes.getPlatformPractice, (caller) =>
  openPlatformPractice(tools, requireNamed(caller)),
);
