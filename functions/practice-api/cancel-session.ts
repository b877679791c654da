import { cancelSessionRoute } from '../contract/practice-api/cancel-session.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { cancelSession } from '../sessions/cancel.ts';
import { voiderOfStage } from '../processors/of-stage.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('apiKeys', 'sessions', 'events', 'invoiceClaims'));
const tools = { database, mode: builtForMode, processor: voiderOfStage(database) };

export const handler = practiceRoute(
  tools,
  cancelSessionRoute,
  async ({ practiceId }, { params: { sessionId } }, { now }) => ({
    body: await cancelSession(tools, await findOwnSession(tools, { practiceId, sessionId }), now),
  }),
);
