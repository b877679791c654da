import { mailCopyRoutes } from '../contract/sessions/patient-session.ts';
import { requiredMailFrom, tableNames } from '../environment.ts';
import { linkRoute } from '../http/patient-route.ts';
import { onceMailSender } from '../messages/team/mail.ts';
import { mailCopy } from '../sessions/mail-copy.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), sendMail: onceMailSender(requiredMailFrom()) };

export const handler = linkRoute(tools, mailCopyRoutes.mailCopy, async (caller, { body: { email } }, { now }) => {
  await mailCopy(tools, { ...caller, email }, now);
  return {};
});
