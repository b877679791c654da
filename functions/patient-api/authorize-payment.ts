import { patientRoutes } from '../contract/patient-routes.ts';
import { offeredById } from '../domain/authorization.ts';
import type { Session } from '../domain/session.ts';
import { mode, tableNames } from '../environment.ts';
import { findInvoiceBlock, patientRoute, requirePending } from '../http/patient-route.ts';
import type { HttpRequest } from '../http/request.ts';
import { connect } from '../store/database.ts';
import { authorizePayment } from '../store/transitions.ts';
import { unreachable } from '../domain/fault.ts';
import { Problem } from '../contract/problems.ts';

const database = connect(tableNames('sessions', 'practices', 'invoiceClaims', 'events', 'authorizations'));

/** The patient authorizes one debit: evidence, the invoice's claim and `processing` are written together or not at all. */
export const handler = patientRoute(
  database,
  mode(),
  patientRoutes.authorizePayment,
  async ({ session, practice }, { body, request, now }) => {
    requirePending(session, now);
    const evidence = evidenceOf(session, body.authorizationId, request);
    const outcome = await authorizePayment(database, session, { evidence, guardInvoice: practice.invoiceGuard, now });
    switch (outcome.result) {
      case 'written':
        return outcome.session;
      case 'changed':
        requirePending(outcome.session, now);
        throw authorizationChanged();
      case 'claimed': {
        const block = (await findInvoiceBlock(database, session, practice)) ?? 'payment_in_progress';
        throw new Problem(block, 'Load the session again. Nothing more is to be paid with this link for now.');
      }
      default:
        return unreachable(outcome);
    }
  },
);

function authorizationChanged(): Problem {
  return new Problem('authorization_changed', 'Load the session again and show the authorization that it now has.');
}

function evidenceOf(session: Session, authorizationId: string, request: HttpRequest) {
  const { bankAccount, processorAccount, sessionId, practiceId, patient, amountCents, invoiceId } = session;
  if (!bankAccount || processorAccount === undefined) throw new Problem('bank_not_connected', 'Connect a bank first.');
  const accepted = offeredById(session, authorizationId);
  if (!accepted) throw authorizationChanged();
  const { text, templateVersion, locale } = accepted;
  const { sourceIp, userAgent = '' } = request.requestContext.http;
  const viewerAddress = request.headers['x-viewer-address'];
  return {
    sessionId,
    practiceId,
    authorizationId,
    text,
    templateVersion,
    locale,
    amountCents,
    invoiceId,
    patient,
    bankAccount,
    processorAccount,
    userAgent,
    sourceAddress: sourceIp,
    ...(viewerAddress !== undefined && { viewerAddress }),
  };
}
