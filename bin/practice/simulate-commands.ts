import { simulateSessionBody } from '../../functions/contract/practice-api/simulate-session.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/practice-routes.ts';
import { command, id } from './command.ts';
import { callPracticeApi } from './practice-api.ts';

const pathOf = ({ path }: { readonly path: string }, sessionId: string) =>
  path.replace('{sessionId}', encodeURIComponent(sessionId));

export const simulateCommands = {
  simulate: command({ session: id, ...simulateSessionBody.shape }, (stack, { session, as }) =>
    callPracticeApi(stack, pathOf(sandboxPracticeRoutes.simulateSession, session), { as }),
  ),
  advance: command({ session: id }, (stack, { session }) =>
    callPracticeApi(stack, pathOf(sandboxPracticeRoutes.advanceSession, session), {}),
  ),
};
