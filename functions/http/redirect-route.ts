import type { Route } from '../contract/route.ts';
import { logFault } from '../log.ts';
import type { HttpRequest } from './request.ts';
import { responder } from './route-handler.ts';

interface Redirect {
  /** A path of the dashboard, or a URL. */
  readonly location: string;
  readonly cookies: string[];
}

/** For a browser that navigates: it is sent to `onFault` when something unexpected goes wrong. */
export function redirectRoute(
  route: Route,
  onFault: string,
  redirect: (request: HttpRequest, now: number) => Promise<Redirect>,
) {
  return responder(route.problems, async (request) => {
    const { location, cookies } = await redirect(request, Date.now()).catch((error: unknown) => {
      const { requestId, routeKey } = request.requestContext;
      logFault('redirect failed', error, { requestId, route: routeKey });
      return { location: onFault, cookies: [] };
    });
    return { statusCode: route.status, headers: { location }, cookies, body: '' };
  });
}
