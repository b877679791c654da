import { randomBytes } from 'node:crypto';
import { createSessionRoute } from '../contract/sessions/create-session.ts';
import { answerOnce } from '../contract/idempotency.ts';
import { hostedPageUrl, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { requireReadyForPlatform } from '../practices/go-live.ts';
import { createSession } from '../sessions/create.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode, hostedPageUrl: hostedPageUrl(), randomBytes };

export const handler = practiceRoute(
  tools,
  createSessionRoute,
  async ({ practiceId, author, servedPractice }, { body, headers }, { now, facts, answerHeaders }) => {
    // A practice was ready when it got its own key.
    if (builtForMode === 'live' && servedPractice) await requireReadyForPlatform(tools, servedPractice);
    const ordered = { body, apiKeyId: author.keyId, idempotencyKey: headers['idempotency-key'] };
    const input = { practiceId, practice: servedPractice, ...ordered };
    const answer = await createSession(tools, input, now);
    facts.sessionId = answer.response.sessionId;
    return answerOnce(answer, answerHeaders);
  },
);
