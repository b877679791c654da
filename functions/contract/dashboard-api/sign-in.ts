import { wrongHost } from '../origin-secret.ts';
import { none, takesNothing } from '../route.ts';
import type { DashboardRoute } from './dashboard-route.ts';

/** `return`: where to go afterward. `again=1`: the issuer asks for credentials even if the user is signed in. */
export const signInRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/dashboard/sign-in',
  access: 'anyone',
  summary: 'Sign in',
  description: 'Redirects the browser to the issuer. Takes `return`, a path of the dashboard, and `again=1`.',
  status: 302,
  response: none,
  problems: wrongHost,
} as const satisfies DashboardRoute;
