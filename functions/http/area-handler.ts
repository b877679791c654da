import type { Route } from '../contract/route.ts';
import { problemPage } from '../contract/team/dashboard-sign-in.ts';
import { Fault } from '../domain/fault.ts';
import { logFault } from '../log.ts';
import { handlerOf, type Responder } from './route-handler.ts';
import { requireDistribution, type HttpRequest } from './request.ts';

export interface AreaRoute extends Responder {
  /** API Gateway's name for the route, such as `GET /api/dashboard/me`. */
  readonly routeKey: string;
}

export function areaRoute({ method, path }: Pick<Route, 'method' | 'path'>, responder: Responder): AreaRoute {
  return { routeKey: `${method} ${path}`, ...responder };
}

/** The handler of a function that serves an area of the dashboard: API Gateway says which of its routes matched. */
export function areaHandler(...routes: readonly AreaRoute[]) {
  const byKey = new Map(routes.map((route) => [route.routeKey, route]));
  return handlerOf((routeKey) => {
    const route = byKey.get(routeKey);
    if (!route) throw new Fault(`this function does not serve ${routeKey}`);
    return route;
  });
}

interface Redirect {
  /** A path of the dashboard, or a URL. */
  readonly location: string;
  readonly cookies: string[];
}

/** Handles browser navigation: a failure leads to a dashboard page instead of a problem response. */
export function redirectRoute(
  route: Route,
  redirect: (request: HttpRequest, now: number) => Promise<Redirect>,
): AreaRoute {
  const respond = requireDistribution(async (request) => {
    const { location, cookies } = await redirect(request, Date.now()).catch((error: unknown) => {
      const { requestId, routeKey } = request.requestContext;
      const problem = 'sign_in_failed';
      logFault('redirect failed', error, { requestId, route: routeKey }, [
        { metric: 'FailedSignIns', value: 1, by: problem },
      ]);
      return { location: problemPage(problem), cookies: [] };
    });
    return { statusCode: route.status, headers: { location }, cookies, body: '' };
  });
  return areaRoute(route, { problems: route.problems, respond });
}
