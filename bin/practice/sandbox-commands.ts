import { simulateSessionBody } from '../../functions/contract/sessions/simulate-session.ts';
import { freeCommand } from './command.ts';
import { describe } from './layout.ts';
import { described, session } from './option.ts';
import { ofApi, openPracticeApi } from './practice-client.ts';

const group = 'Sandbox';

export const sandboxCommands = {
  simulate: freeCommand({
    group,
    summary: "Simulate a session's patient and the bank's first outcome.",
    options: {
      session,
      as: described(simulateSessionBody.shape.as.clone(), {
        placeholder: 'USER',
        summary: 'a test user, or expire',
        example: 'user_good',
      }),
      ...ofApi,
    },
    run: async ({ place }, { session: sessionId, as, ...chosen }) => {
      const { client } = await openPracticeApi(place, chosen);
      const result = await client.sandbox.simulate(sessionId, as);
      return { result, show: (page) => describe(page, result) };
    },
  }),
  advance: freeCommand({
    group,
    summary: "Perform the bank's next outcome now.",
    options: { session, ...ofApi },
    run: async ({ place }, { session: sessionId, ...chosen }) => {
      const { client } = await openPracticeApi(place, chosen);
      const result = await client.sandbox.advance(sessionId);
      return { result, show: (page) => describe(page, result) };
    },
  }),
};
