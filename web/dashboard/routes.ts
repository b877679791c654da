import type {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../functions/contract/dashboard-routes.ts';

export type Routes = typeof dashboardRoutes & typeof liveDashboardRoutes & typeof sandboxDashboardRoutes;

/** The browser goes to the other two itself. */
export type RouteName = Exclude<keyof Routes, 'beginSignIn' | 'finishSignIn'>;

declare global {
  /** The build takes them from the contract, and leaves its schemas out of the bundle. */
  const dashboardPaths: { readonly [Name in RouteName]: Pick<Routes[Name], 'method' | 'path'> };
}

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
export type PathParameters<Name extends RouteName> = Readonly<Record<ParametersOf<Routes[Name]['path']>, string>>;
