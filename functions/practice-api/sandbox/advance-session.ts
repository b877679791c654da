import { advanceSessionRoute } from '../../contract/sessions/sandbox-session.ts';
import { sessionStatus } from '../../domain/sessions/session-status.ts';
import { tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { advancerOfStage, processorOfStage } from '../../processors/of-stage.ts';
import { advanceSession } from '../../sessions/simulate.ts';
import { findOwnSession } from '../../sessions/find.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('apiKeys', 'practices', 'rateLimits', 'sessions', 'events', 'invoiceClaims'));
const tools = {
  database,
  mode: builtForMode,
  processor: processorOfStage(database),
  bank: advancerOfStage(database),
};

export const handler = areaHandler(
  practiceRoute(tools, advanceSessionRoute, async ({ practiceId }, { params: { sessionId } }, { now }) => {
    const session = await findOwnSession(tools, { practiceId, sessionId });
    return { body: sessionStatus(await advanceSession(tools, session, now), undefined, now) };
  }),
);
