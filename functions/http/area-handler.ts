import type { Route } from '../contract/route.ts';
import { Fault } from '../domain/fault.ts';
import { handlerOf, type Responder } from './route-handler.ts';

export interface AreaRoute extends Responder {
  /** As API Gateway calls it: `GET /api/dashboard/me`. */
  readonly routeKey: string;
}

export function areaRoute({ method, path }: Pick<Route, 'method' | 'path'>, responder: Responder): AreaRoute {
  return { routeKey: `${method} ${path}`, ...responder };
}

/** The handler of a function that serves these routes: API Gateway says which of them matched. */
export function areaHandler(...routes: readonly AreaRoute[]) {
  const byKey = new Map(routes.map((route) => [route.routeKey, route]));
  return handlerOf((routeKey) => {
    const route = byKey.get(routeKey);
    if (!route) throw new Fault(`this function does not serve ${routeKey}`);
    return route;
  });
}
