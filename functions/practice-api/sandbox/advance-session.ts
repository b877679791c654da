import { sandboxPracticeRoutes } from '../../contract/sessions/sandbox-session.ts';
import { sessionStatus } from '../../domain/sessions/session-status.ts';
import { tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { advancerOfStage, processorOfStage } from '../../processors/of-stage.ts';
import { advanceSession } from '../../sessions/simulate.ts';
import { findOwnSession } from '../../sessions/find.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode, processor: processorOfStage(database), bank: advancerOfStage(database) };

export const handler = practiceRoute(
  tools,
  sandboxPracticeRoutes.advanceSession,
  async ({ practiceId }, { params }, { now }) => {
    const session = await findOwnSession(tools, { practiceId, ...params });
    return sessionStatus(await advanceSession(tools, session, now), undefined, now);
  },
);
