import { problemPage } from '../contract/team/dashboard-sign-in.ts';
import type { Route } from '../contract/route.ts';
import { logFault } from '../log.ts';
import { requireDistribution, type HttpRequest } from './request.ts';
import { areaRoute, type AreaRoute } from './area-handler.ts';

interface Redirect {
  /** A path of the dashboard, or a URL. */
  readonly location: string;
  readonly cookies: string[];
}

/** For browser navigation: a failure leads to a dashboard page instead of a problem response. */
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
