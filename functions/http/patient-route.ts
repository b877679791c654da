import type * as z from 'zod/mini';
import type { patientHeaders } from '../contract/patient-route.ts';
import type { sessionView } from '../contract/sessions/session-view.ts';
import type { Route } from '../contract/route.ts';
import { preferredLocale } from '../domain/locale.ts';
import type { Mode } from '../domain/mode.ts';
import type { Session } from '../domain/sessions/session.ts';
import { findByToken, type LinkHolder } from '../sessions/find.ts';
import { findEvidence, viewSession } from '../sessions/view.ts';
import type { Database } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { requireDistribution, bearerToken, type HttpRequest, type ParsedRequest } from './request.ts';
import { routeHandler, type Answer, type HandlerContext, type LogFacts } from './route-handler.ts';

type Schema = z.ZodMiniType;
type None = z.ZodMiniUndefined;
type PatientHeaders = typeof patientHeaders;

interface LinkTools {
  readonly database: Database<'sessions' | 'practices'>;
}

interface PatientApiTools {
  readonly database: Database<'sessions' | 'practices' | 'invoiceClaims' | 'authorizations'>;
  readonly mode: Mode;
}

/** For whoever has the session's link. */
export function linkRoute<Body extends Schema, Response extends Schema>(
  tools: LinkTools,
  route: Route<None, None, PatientHeaders, Body, Response>,
  act: (
    caller: LinkHolder,
    request: ParsedRequest<None, None, PatientHeaders, Body>,
    context: HandlerContext,
  ) => Promise<Answer<z.input<Response>>>,
) {
  return routeHandler(
    route,
    requireDistribution(async (request, _now, facts) => {
      const session = await findLinked(tools, request, facts);
      return { session, practice: await getExistingPractice(tools.database, session.practiceId) };
    }),
    act,
  );
}

/** Responds with the session's view. */
export function patientRoute<Body extends Schema>(
  tools: PatientApiTools,
  route: Route<None, None, PatientHeaders, Body, typeof sessionView>,
  act: (
    caller: LinkHolder,
    request: ParsedRequest<None, None, PatientHeaders, Body>,
    context: HandlerContext,
  ) => Promise<Session>,
) {
  return routeHandler(
    route,
    requireDistribution(async (request, _now, facts) => {
      const session = await findLinked(tools, request, facts);
      const [practice, evidence] = await Promise.all([
        getExistingPractice(tools.database, session.practiceId),
        findEvidence(tools, session),
      ]);
      return { session, practice, evidence };
    }),
    async (caller, request, context) => {
      const session = await act(caller, request, context);
      const locale = preferredLocale(request.headers['accept-language']);
      return { body: await viewSession(tools, { ...caller, session, locale }, context.now) };
    },
  );
}

async function findLinked(tools: LinkTools, request: HttpRequest, facts: LogFacts): Promise<Session> {
  const session = await findByToken(tools, bearerToken(request));
  facts.sessionId = session.sessionId;
  return session;
}
