import { getSessionStatusRoute } from '../contract/sessions/session.ts';
import { tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { findOwnSession } from '../sessions/find.ts';
import { readStatus } from '../sessions/list.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('apiKeys', 'practices', 'rateLimits', 'sessions', 'invoiceClaims')),
  mode: builtForMode,
};

export const handler = areaHandler(
  practiceRoute(tools, getSessionStatusRoute, async ({ practiceId }, { params: { sessionId } }, { now }) => ({
    body: await readStatus(tools, await findOwnSession(tools, { practiceId, sessionId }), now),
  })),
);
