import { practiceSessionRoutes } from '../contract/sessions/session.ts';
import { answerOnce } from '../contract/idempotency.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { voiderOfStage } from '../processors/of-stage.ts';
import { cancelSessionOnce } from '../sessions/cancel.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode, processor: voiderOfStage(database) };

export const handler = practiceRoute(
  tools,
  practiceSessionRoutes.cancelSession,
  async ({ practiceId }, { params: { sessionId }, headers }, { now, answerHeaders }) => {
    const session = await findOwnSession(tools, { practiceId, sessionId });
    const input = { session, idempotencyKey: headers['idempotency-key'] };
    return answerOnce(await cancelSessionOnce(tools, input, now), answerHeaders);
  },
);
