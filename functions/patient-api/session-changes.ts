import { namePayerRoute } from '../contract/payments/authorize-payment.ts';
import { extendSessionRoute, openSessionRoute, requestLinkRoute } from '../contract/sessions/patient-session.ts';
import { tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { linkRoute, patientRoute } from '../http/patient-route.ts';
import { namePayer } from '../sessions/name-payer.ts';
import { extendSession, openSession } from '../sessions/open.ts';
import { requestLink } from '../sessions/request-link.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('sessions', 'practices', 'invoiceClaims', 'authorizations', 'events')),
  mode: builtForMode,
};

export const handler = areaHandler(
  patientRoute(tools, openSessionRoute, async (caller, _request, { now }) => openSession(tools, caller, now)),
  patientRoute(tools, extendSessionRoute, async (caller, _request, { now }) => extendSession(tools, caller, now)),
  patientRoute(tools, namePayerRoute, async (caller, { body: { payerName } }, { now }) =>
    namePayer(tools, { ...caller, payerName }, now),
  ),
  linkRoute(tools, requestLinkRoute, async (caller, _request, { now }) => {
    await requestLink(tools, caller, now);
    return { body: { linkRequest: 'made' } as const };
  }),
);
