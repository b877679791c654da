import { randomBytes } from 'node:crypto';
import { replayHeaders } from '../contract/idempotency.ts';
import { platformApiRoutes } from '../contract/practices/platform-practices.ts';
import { Fault } from '../domain/fault.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { practiceArea, type PracticeCaller } from '../http/practice-route.ts';
import {
  createPlatformPractice,
  listPlatformPractices,
  openPlatformPractice,
  resumePlatformPractice,
  suspendPlatformPractice,
} from '../practices/platform-practices.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('apiKeys', 'practices', 'rateLimits', 'idempotencyKeys', 'auditLog'));
const tools = { database, mode: builtForMode, randomBytes };

/** Of a route that names it in its path. */
function named({ servedPractice }: PracticeCaller): Practice {
  if (!servedPractice) throw new Fault('a route about one practice names none');
  return servedPractice;
}

const route = practiceArea(tools);
const { createPractice, listPractices, getPlatformPractice, suspendPractice, resumePractice } = platformApiRoutes;

export const handler = areaHandler(
  route(createPractice, async ({ practiceId: platformId, author }, { body, headers }, { now, answerHeaders }) => {
    const input = { platformId, author, body, idempotencyKey: headers['idempotency-key'] };
    const { response, replayed } = await createPlatformPractice(tools, input, now);
    Object.assign(answerHeaders, replayHeaders(replayed));
    return response;
  }),
  route(listPractices, ({ practiceId: platformId }, { query }) =>
    listPlatformPractices(tools, { platformId, ...query }),
  ),
  route(getPlatformPractice, (caller) => openPlatformPractice(tools, named(caller))),
  route(suspendPractice, (caller, _request, { now }) =>
    suspendPlatformPractice(tools, { practice: named(caller), author: caller.author }, now),
  ),
  route(resumePractice, (caller, _request, { now }) =>
    resumePlatformPractice(tools, { practice: named(caller), author: caller.author }, now),
  ),
);
