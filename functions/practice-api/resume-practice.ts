import { randomBytes } from 'node:crypto';
import { platformApiRoutes } from '../contract/practices/platform-practices.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute, requireNamed } from '../http/practice-route.ts';
import { resumePlatformPractice } from '../practices/platform-practices.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode, randomBytes };

export const handler = practiceRoute(tools, platformApiRoutes.resumePractice, (caller, _request, { now }) =>
  resumePlatformPractice(tools, { practice: requireNamed(caller), author: caller.author }, now),
);
