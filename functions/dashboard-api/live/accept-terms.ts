import { randomBytes } from 'node:crypto';
import { acceptTermsRoute } from '../../contract/dashboard-api/accept-terms.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { acceptTerms } from '../../practices/terms.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(tools, acceptTermsRoute, async ({ practiceId, author }, { body }, { now }) => ({
  body: await acceptTerms(tools, { ...body, practiceId, author }, now),
}));
