import { Problem } from '../contract/problem.ts';
import { currentAuthorizationTemplate } from '../domain/payments/authorization.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { ReadingTools } from '../store/database.ts';
import { recordPayer } from '../store/sessions/patient-writes.ts';
import { requireActive, requireLink, requirePending, type LinkHolder } from './find.ts';

/** Stores the name on the bank account. The authorization is then another one, which names this person. */
export async function namePayer(
  { database }: ReadingTools,
  { session, practice, payerName }: LinkHolder & { readonly payerName: string },
  now: number,
): Promise<Session> {
  requireActive(practice);
  // An older template names no payer.
  const payer = { payerName, authorizationTemplate: currentAuthorizationTemplate };
  const named = requireLink(await recordPayer(database, session, payer, now));
  if (named.written) return named.session;
  requirePending(named.session, now);
  throw bankNotConnected();
}

export function bankNotConnected(): Problem {
  return new Problem('bank_not_connected', 'Connect a bank account first.');
}
