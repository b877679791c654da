import { randomBytes } from 'node:crypto';
import { sessionRoutes } from '../contract/sessions/dashboard-sessions.ts';
import { dashboardUrl, hostedPageUrl, tableNames } from '../environment.ts';
import { allows } from '../domain/team/member.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { requireReadyForLinks } from '../practices/go-live.ts';
import { auditedBy, findCreator, findRefundReason } from '../sessions/audit.ts';
import { findLaterPayingSession } from '../sessions/blocks.ts';
import { createSession } from '../sessions/create.ts';
import { getSessionDetail, findBlock, listWithBlocks } from '../sessions/list.ts';
import { erasePatient } from '../sessions/erase-patient.ts';
import { findOwnSession, memberSession } from '../sessions/find.ts';
import { replaceLink } from '../sessions/links.ts';
import { searchSessions } from '../sessions/search.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames()),
  dashboardUrl: dashboardUrl(),
  hostedPageUrl: hostedPageUrl(),
  mode: builtForMode,
  randomBytes,
};

export const handler = areaHandler(
  memberRoute(tools, sessionRoutes.listSessions, async ({ practiceId, role }, { query }, { now }) => {
    const filter = { ...query, practiceId, returned: query.returned === 'true' };
    const { sessions, blocks, nextCursor } = await listWithBlocks(tools, filter, now);
    const data = sessions.map((session) => memberSession(session, role, blocks.get(session.sessionId), now));
    return { data, nextCursor };
  }),
  memberRoute(tools, sessionRoutes.searchSessions, async ({ practiceId, role }, { body }, { now }) => {
    const search = { ...body, practiceId, byName: allows(role, 'staff') };
    const { sessions, blocks, complete } = await searchSessions(tools, search, now);
    const data = sessions.map((session) => memberSession(session, role, blocks.get(session.sessionId), now));
    return { data, complete };
  }),
  memberRoute(tools, sessionRoutes.getSession, async ({ role }, { params }, { now }) => {
    const session = await findOwnSession(tools, params);
    // Run in parallel, because the screen of a payment in progress polls every few seconds.
    const [{ block, blockingSessionId }, laterPayer, createdBy, refundReason, detail] = await Promise.all([
      findBlock(tools, session, now),
      findLaterPayingSession(tools, session),
      findCreator(tools, session),
      findRefundReason(tools, session),
      getSessionDetail(tools, session),
    ]);
    return {
      session: memberSession(session, role, block, now),
      createdBy,
      refundReason,
      blockingSessionId: blockingSessionId ?? laterPayer,
      ...detail,
    };
  }),
  memberRoute(tools, sessionRoutes.createSession, async ({ practiceId, author }, { body, headers }, { now, facts }) => {
    await requireReadyForLinks(tools, practiceId);
    const audited = { ...tools, ...auditedBy(tools, { practiceId, author }, now) };
    const input = { practiceId, body, idempotencyKey: headers['idempotency-key'] };
    const { response } = await createSession(audited, input, now);
    facts.sessionId = response.sessionId;
    return response;
  }),
  memberRoute(tools, sessionRoutes.replaceLink, ({ author }, { params }, { now }) =>
    replaceLink(tools, { ...params, author }, now),
  ),
  memberRoute(tools, sessionRoutes.erasePatient, ({ author }, { params }, { now }) =>
    erasePatient(tools, { ...params, author }, now),
  ),
);
