import type * as z from 'zod/mini';
import type { ProblemCode } from '../../functions/contract/problem.ts';
import type { RequestError } from '../../functions/contract/request-errors.ts';
import type { dashboardRoutes, liveDashboardRoutes, sandboxDashboardRoutes } from '../../functions/contract/routes.ts';
import { isAttended } from './use-every.ts';

export interface ApiProblem {
  /** `interrupted`: a sign-in came first, so the action has to be repeated. */
  readonly code: ProblemCode | 'busy' | 'unreachable' | 'interrupted';
  readonly title: string;
  readonly detail?: string;
  readonly requestId?: string;
  readonly errors?: readonly RequestError[];
}

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ApiProblem };
export type Response<Name extends RouteName> = z.infer<Routes[Name]['response']>;

export interface Request<Name extends RouteName> {
  readonly params: PathParameters<Name>;
  readonly query?: QueryValues;
  readonly body?: z.input<Routes[Name]['body']>;
  readonly signal?: AbortSignal;
  /** The idempotency key, which makes the request safe to retry. */
  readonly idempotencyKey?: string;
  /** The user did not ask for it, so if nobody is signed in, it gets no answer and takes nobody away from what they type. */
  readonly isHint?: true;
}

/** In milliseconds. Longer than the API's own 30 seconds. */
const timeout = 35_000;

const unreachable: ApiProblem = {
  code: 'unreachable',
  title: 'The dashboard did not answer.',
  detail: 'Check your connection and try again.',
};
const busy: ApiProblem = {
  code: 'busy',
  title: 'Too many requests right now.',
  detail: 'Wait a few seconds and try again.',
};
const internal: ApiProblem = { code: 'internal_error', title: 'Something went wrong on our end.' };

/** Calls a route of the dashboard's API. Never throws. */
export async function call<Name extends RouteName>(
  name: Name,
  { params, query = {}, body, signal, idempotencyKey, isHint }: Request<Name>,
): Promise<Answer<Response<Name>>> {
  const { method, path } = dashboardPaths[name];
  // Do not use `AbortSignal.any`: Safari 16 lacks it.
  const aborted = new AbortController();
  const timer = setTimeout(() => aborted.abort(), timeout);
  signal?.addEventListener('abort', () => aborted.abort());
  try {
    const response = await fetch(pathOf(path, params) + queryOf(query), {
      method,
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json', 'x-dashboard': '1' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(!isAttended() && { 'x-background': '1' }),
      },
      ...(method === 'POST' && body !== undefined && { body: JSON.stringify(body) }),
      cache: 'no-store',
      signal: aborted.signal,
    });
    if (response.ok) return { ok: true, value: await response.json() };
    const problem = await problemOf(response);
    if (isAboutSignIn(problem.code) && isHint === undefined) {
      if (method === 'POST') sessionStorage.setItem(interruptedAction, pageAnd(name));
      signInListener(problem.code, name);
    }
    return { ok: false, problem };
  } catch {
    return { ok: false, problem: unreachable };
  } finally {
    clearTimeout(timer);
  }
}

function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

export type QueryValues = Readonly<Record<string, string | readonly string[] | null | undefined>>;

export function queryOf(query: QueryValues): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

async function problemOf(response: globalThis.Response): Promise<ApiProblem> {
  if (response.headers.get('content-type') === 'application/problem+json') {
    const problem: ApiProblem = await response.json();
    return problem;
  }
  // Not from the API: the gateway or a proxy answered.
  if (response.status === 429 || response.status === 503) return busy;
  return response.status >= 500 ? internal : unreachable;
}

/** What is wrong with a field, and how long its text can be if it is too long. */
export function errorWords({ code, detail, maximum }: RequestError): string {
  return code === 'too_long' && maximum !== undefined ? `${detail} Use at most ${maximum} characters.` : detail;
}

type SignInCode = 'not_signed_in' | 'sign_in_too_old';
type SignInListener = (code: SignInCode, route: RouteName) => void;
let signInListener: SignInListener = () => undefined;

export function onSignInNeeded(listener: SignInListener): void {
  signInListener = listener;
}

export function isAboutSignIn(code: ApiProblem['code']): code is SignInCode {
  return code === 'not_signed_in' || code === 'sign_in_too_old';
}

const interruptedAction = 'interrupted';
const pageAnd = (name: RouteName) => `${location.pathname}${location.search} ${name}`;

/** What the last page in this tab could not do without a sign-in. */
let interrupted = sessionStorage.getItem(interruptedAction);
forgetInterrupted();

/** Whether the sign-in that led back to this page interrupted a request to this route. True once. */
export function wasInterrupted(name: RouteName): boolean {
  const wasThis = interrupted === pageAnd(name);
  if (wasThis) interrupted = null;
  return wasThis;
}

export function forgetInterrupted(): void {
  sessionStorage.removeItem(interruptedAction);
}

/** Fired before the browser leaves for the sign-in, so that forms save a draft. */
export const leavingToSignIn = 'leaving-to-sign-in';

export function signInUrl({ again = false, to = location.pathname + location.search } = {}): string {
  return `/api/dashboard/sign-in${queryOf({ again: again ? '1' : undefined, return: to })}`;
}

type Routes = typeof dashboardRoutes & typeof liveDashboardRoutes & typeof sandboxDashboardRoutes;

/** The browser navigates to the other two itself. */
export type RouteName = Exclude<keyof Routes, 'beginSignIn' | 'finishSignIn'>;

declare global {
  /** The build takes them from the contract, and leaves its schemas out of the bundle. */
  const dashboardPaths: { readonly [Name in RouteName]: Pick<Routes[Name], 'method' | 'path'> };
}

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
type PathParameters<Name extends RouteName> = Readonly<Record<ParametersOf<Routes[Name]['path']>, string>>;
