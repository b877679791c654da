import {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
  livePatientRoutes,
  mailPatientRoutes,
  patientRoutes,
  practiceRoutes,
} from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import { livePlatformApiRoutes, platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { healthRoute, openApiHeadRoute, openApiRoute } from '../../functions/contract/unlisted-routes.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import type { Route } from '../../functions/contract/route.ts';
import type { Mode } from '../../functions/domain/mode.ts';

const always = [
  practiceRoutes,
  platformApiRoutes,
  { openApiRoute, openApiHeadRoute, healthRoute },
  patientRoutes,
  mailPatientRoutes,
  dashboardRoutes,
];
const byMode = {
  sandbox: [sandboxPracticeRoutes, sandboxDashboardRoutes],
  live: [livePlatformApiRoutes, livePatientRoutes, liveDashboardRoutes, { receiveStripeEventRoute }],
};

/** Every route that a stage of this mode has if it sends email. */
export function routesOf(mode: Mode): Route[] {
  return [...always, ...byMode[mode]].flatMap((routes) => Object.values<Route>(routes));
}

export function methodsByPath(mode: Mode): Record<string, string[]> {
  const byPath = Map.groupBy(routesOf(mode), ({ path }) => path);
  return Object.fromEntries([...byPath].map(([path, routes]) => [path, routes.map(({ method }) => method)]));
}

/** Method and path of the dashboard's routes, by name. */
export function dashboardPaths(): Record<string, Pick<Route, 'method' | 'path'>> {
  const routes = Object.entries<Route>({ ...dashboardRoutes, ...sandboxDashboardRoutes, ...liveDashboardRoutes });
  return Object.fromEntries(routes.map(([name, { method, path }]) => [name, { method, path }]));
}
