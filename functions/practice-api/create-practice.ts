import { randomBytes } from 'node:crypto';
import { answerOnce } from '../contract/idempotency.ts';
import { platformApiRoutes } from '../contract/practices/platform-practices.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { createPlatformPractice } from '../practices/platform-practices.ts';
import { testBankOf } from '../practices/test-bank.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = {
  database,
  mode: builtForMode,
  randomBytes,
  testBankOf: builtForMode === 'sandbox' ? testBankOf : undefined,
};

export const handler = practiceRoute(
  tools,
  platformApiRoutes.createPractice,
  async ({ practiceId: platformId, author }, { body, headers }, { now, answerHeaders }) => {
    const input = { platformId, author, body, idempotencyKey: headers['idempotency-key'] };
    return answerOnce(await createPlatformPractice(tools, input, now), answerHeaders);
  },
);
