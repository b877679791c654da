import { sandboxPracticeRoutes } from '../../contract/sessions/sandbox-session.ts';
import { tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { advancerOfStage, connectorOfStage, processorOfStage } from '../../processors/of-stage.ts';
import { simulateSession } from '../../sessions/simulate.ts';
import { readStatus } from '../../sessions/list.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames());
const tools = {
  database,
  mode: builtForMode,
  connector: connectorOfStage(),
  processor: processorOfStage(database),
  bank: advancerOfStage(database),
};

export const handler = practiceRoute(
  tools,
  sandboxPracticeRoutes.simulateSession,
  async ({ practiceId }, { params: { sessionId }, body: { as } }, { now, source }) => {
    const input = { practiceId, sessionId, as, source: { ...source, simulated: true } as const };
    return readStatus(tools, await simulateSession(tools, input, now), now);
  },
);
