import { Problem } from '../contract/problem.ts';
import { logFault, logInfo } from '../log.ts';
import type { SendMail } from '../messages/team/mail.ts';
import type { Database } from '../store/database.ts';
import { recordCopyRequest } from '../store/sessions/patient-writes.ts';
import { copyMail } from './copy-text.ts';
import { requireLink, type LinkHolder } from './find.ts';
import { findEvidence } from './view.ts';

interface CopyTools {
  readonly database: Database<'sessions' | 'authorizations'>;
  /** Sends at most once: a retry could mail a second copy. */
  readonly sendMail: SendMail;
}

interface CopyInput extends LinkHolder {
  readonly email: string;
}

/** Mails the accepted text to whoever authorized the debit. The address is not stored or logged. */
export async function mailCopy(
  { database, sendMail }: CopyTools,
  { session, practice, email }: CopyInput,
  now: number,
): Promise<void> {
  const evidence = await findEvidence({ database }, session);
  if (!evidence) throw new Problem('authorization_not_found', 'There is nothing to send a copy of.');
  const { sessionId } = session;
  // Before the mail: a second request must not send it again, even if this one ends here.
  const { written } = requireLink(await recordCopyRequest(database, session, now));
  if (!written) throw new Problem('copy_already_mailed', 'Print or save the page for another copy.');
  try {
    await sendMail({ ...copyMail(evidence, practice.timeZone), to: email });
  } catch (error) {
    logFault('copy not mailed', error, { sessionId });
    throw new Problem('copy_not_mailed', 'Print or save the page instead.');
  }
  logInfo('copy mailed', { sessionId });
}
