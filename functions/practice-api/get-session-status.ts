import { practiceSessionRoutes } from '../contract/sessions/session.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { findOwnSession } from '../sessions/find.ts';
import { readStatus } from '../sessions/list.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(
  tools,
  practiceSessionRoutes.getSessionStatus,
  async ({ practiceId }, { params }, { now }) =>
    readStatus(tools, await findOwnSession(tools, { practiceId, ...params }), now),
);
