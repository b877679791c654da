import { randomBytes } from 'node:crypto';
import { createSessionRoute } from '../contract/dashboard-api/create-session.ts';
import { dashboardUrl, hostedPageUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { requireReadyForLive } from '../practices/go-live.ts';
import { auditedBy } from '../sessions/audit.ts';
import { createSession } from '../sessions/create.ts';
import { connect } from '../store/database.ts';

const database = connect(
  tableNames(
    'dashboardSessions',
    'members',
    'practices',
    'apiKeys',
    'webhookEndpoints',
    'sessions',
    'invoiceClaims',
    'idempotencyKeys',
    'auditLog',
  ),
);
const tools = {
  database,
  dashboardUrl: dashboardUrl(),
  hostedPageUrl: hostedPageUrl(),
  mode: builtForMode,
  randomBytes,
};

export const handler = memberRoute(
  tools,
  createSessionRoute,
  async ({ practiceId, author }, { body, headers }, { now, facts }) => {
    await requireReadyForLive(tools, practiceId);
    const audited = { ...tools, ...auditedBy(tools, { practiceId, author }, now) };
    const { response } = await createSession(
      audited,
      { practiceId, body, idempotencyKey: headers['idempotency-key'] },
      now,
    );
    facts.sessionId = response.sessionId;
    return { body: response };
  },
);
