import { Problem } from '../contract/problem.ts';
import { offeredById } from '../domain/payments/authorization.ts';
import { unreachable } from '../domain/fault.ts';
import { pick } from '../domain/collections.ts';
import { payerOf, patientOf, type Session } from '../domain/sessions/session.ts';
import type { ReadingTools } from '../store/database.ts';
import { writeAuthorization } from '../store/sessions/transitions.ts';
import { findInvoiceBlocker } from './blocks.ts';
import { linkNotFound, requireActive, requirePending, type LinkHolder, requireLink } from './find.ts';
import { recordPayer } from '../store/sessions/patient-writes.ts';

export interface RequestSource {
  readonly address: string;
  readonly viewerAddress?: string | undefined;
  readonly userAgent: string;
  /** Sandbox only. */
  readonly simulated?: true | undefined;
}

interface AuthorizeInput extends LinkHolder {
  readonly authorizationId: string;
  readonly source: RequestSource;
}

/** Authorizes the debit: writes evidence, invoice claim and `processing` in one transaction. */
export async function authorizePayment(tools: ReadingTools, input: AuthorizeInput, now: number): Promise<Session> {
  const { session, practice } = input;
  requireActive(practice);
  requirePending(session, now);
  const result = await writeAuthorization(tools.database, session, {
    ...acceptedOffer(input, now),
    guardInvoice: practice.invoiceGuard,
    now,
  });
  switch (result.result) {
    case 'written':
      return result.session;
    case 'changed':
      if (result.session.tokenHash !== session.tokenHash) throw linkNotFound();
      requirePending(result.session, now);
      throw authorizationChanged();
    case 'claimed':
      throw new Problem(
        (await findInvoiceBlocker(tools, session, practice))?.blockedBy ?? 'payment_in_progress',
        'The invoice is paid, or being paid, through another link. Load the session again.',
      );
    default:
      return unreachable(result);
  }
}

function acceptedOffer({ session, authorizationId, source }: AuthorizeInput, now: number) {
  const { bankAccount, bankConnectedAt, payee, processorAccount } = session;
  if (!bankAccount || !payee || bankConnectedAt === undefined || processorAccount === undefined)
    throw bankNotConnected();
  const accepted = offeredById(session, authorizationId, now);
  if (!accepted) throw authorizationChanged();
  const { text, templateVersion, locale } = accepted;
  const { address: sourceAddress, viewerAddress, userAgent, simulated } = source;
  const patient = patientOf(session);
  const evidence = {
    ...pick(session, ['sessionId', 'practiceId', 'amountCents', 'invoiceId']),
    patient,
    payerName: payerOf({ ...session, patient }),
    authorizationId,
    text,
    templateVersion,
    locale,
    payee,
    bankAccount,
    processorAccount,
    userAgent,
    sourceAddress,
    ...(viewerAddress !== undefined && { viewerAddress }),
    ...(simulated && { simulated }),
  };
  return { bankConnectedAt, evidence };
}

function authorizationChanged(): Problem {
  return new Problem('authorization_changed', 'Load the session again and show its current authorization.');
}

/** Stores the name on the bank account. The authorization becomes a new one, which names this person. */
export async function namePayer(
  { database }: ReadingTools,
  { session, practice, payerName }: LinkHolder & { readonly payerName: string },
  now: number,
): Promise<Session> {
  requireActive(practice);
  const named = requireLink(await recordPayer(database, session, payerName, now));
  if (named.written) return named.session;
  requirePending(named.session, now);
  throw bankNotConnected();
}

function bankNotConnected(): Problem {
  return new Problem('bank_not_connected', 'Connect a bank account first.');
}
