import type * as z from 'zod/mini';
import type { patientHeaders } from '../contract/patient-route.ts';
import type { sessionView } from '../contract/sessions/session-view.ts';
import type { Route } from '../contract/route.ts';
import { preferredLocale } from '../domain/locale.ts';
import type { Session } from '../domain/sessions/session.ts';
import { findByToken, type LinkHolder } from '../sessions/find.ts';
import { findEvidence, viewSession } from '../sessions/view.ts';
import type { ModeTools, ReadingTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { requireDistribution, bearerToken, type HttpRequest } from './request.ts';
import { routeHandler, type Handle, type LogFacts } from './route-handler.ts';

type LinkRoute = Route & { readonly headers: typeof patientHeaders };
type ViewRoute = LinkRoute & { readonly response: typeof sessionView };

/** Handles a request from anyone who has the session's link. */
export function linkRoute<Called extends LinkRoute>(
  tools: ReadingTools,
  route: Called,
  act: Handle<Called, LinkHolder>,
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
export function patientRoute<Body extends z.ZodMiniType>(
  tools: ModeTools,
  route: ViewRoute & { readonly body: Body },
  act: (...given: Parameters<Handle<typeof route, LinkHolder>>) => Promise<Session>,
) {
  return routeHandler(
    route,
    requireDistribution(async (request, _now, facts) => {
      const session = await findLinked(tools, request, facts);
      const [practice, evidence] = await Promise.all([
        getExistingPractice(tools.database, session.practiceId),
        findEvidence(tools, session),
      ]);
      return { session, practice, evidence, locale: preferredLocale(request.headers['accept-language']) };
    }),
    async (caller, request, context) => {
      const session = await act(caller, request, context);
      return viewSession(tools, { ...caller, session }, context.now);
    },
  );
}

async function findLinked(tools: ReadingTools, request: HttpRequest, facts: LogFacts): Promise<Session> {
  const session = await findByToken(tools, bearerToken(request));
  facts.sessionId = session.sessionId;
  return session;
}
