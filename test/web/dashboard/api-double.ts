import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { pageAfterSignIn } from '../../../functions/contract/team/dashboard-sign-in.ts';
import { changeHeader, type DashboardRoute, type MemberAccess } from '../../../functions/contract/dashboard-route.ts';
import type { Me } from '../../../functions/contract/team/dashboard-me.ts';
import {
  dashboardRoutes as ofEveryStage,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../../functions/contract/routes.ts';
import { errorParsing, requestProblem } from '../../../functions/contract/request-errors.ts';
import { none, type Route } from '../../../functions/contract/route.ts';
import { allows, type Role } from '../../../functions/domain/team/member.ts';
import { day } from '../../../functions/domain/time.ts';
import { buildDashboard } from '../../../lib/build/dashboard.ts';
import { contentSecurityPolicy } from '../../../lib/build/content-security-policy.ts';
import { pictures } from '../../support/pictures.ts';
import { problems } from '../../support/problems.ts';
import { isRefusal, memberAnswers, type Call, type MemberRouteName, type Refusal, type RouteName } from './answers.ts';
import {
  harbor,
  harborName,
  lakeside,
  maple,
  newPractice,
  oldPractice,
  platform,
  type PracticeData,
} from './practice-data.ts';
import { before } from './time-data.ts';

type Override = (call: Call) => object | 'hang_up' | undefined | Promise<object | 'hang_up' | undefined>;

export interface DashboardApiDouble {
  readonly url: string;
  /** The user's role in every practice. */
  role: Role;
  signedIn: boolean;
  /** Whether the sign-in is less than 5 minutes old. */
  recentSignIn: boolean;
  mode: Me['mode'];
  practices: Record<string, PracticeData>;
  platform: PracticeData;
  /** Makes Lakeside a practice of the platform Harbor. With `acting`, the user is a member only of Harbor. */
  joinHarbor(options?: { readonly acting: boolean }): void;
  isActing: boolean;
  /** Checked before the canned answers; `undefined` falls back to them. */
  overrides: Partial<Record<RouteName, Override>>;
  calls: Call[];
  reset(): void;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const dashboardRoutes = { ...ofEveryStage, ...liveDashboardRoutes, ...sandboxDashboardRoutes };
const routes = (Object.keys(dashboardRoutes) as RouteName[]).map((name) => {
  const route: Route = dashboardRoutes[name];
  const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { name, route, pattern: new RegExp(`^${pattern}$`) };
});

/** Who runs the service that the double stands for. */
const operator = { name: 'Example Payments, Inc.', email: 'help@example.com' };

/** Serves the dashboard with canned answers of its API that follow the contract. */
export async function startDashboardApiDouble(): Promise<DashboardApiDouble> {
  const assets = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await buildDashboard(assets, 'sandbox', operator);

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ title: String(error), status: 500, code: 'internal_error' }));
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!url.pathname.startsWith('/api/')) return serveFile(url.pathname, response);
    for (const { name, route, pattern } of routes) {
      const match = pattern.exec(url.pathname);
      if (!match || route.method !== request.method) continue;
      const params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]),
      );
      const body = route.method === 'POST' ? await json(request).catch(() => undefined) : undefined;
      return answer(name, route, { params, query: url.searchParams, body }, request, response);
    }
    refuse(response, { code: 'route_not_found' });
  }

  async function answer(
    name: RouteName,
    route: Route,
    { params, query, body: given }: Pick<Call, 'params' | 'query'> & { body: unknown },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (name === 'beginSignIn' || name === 'finishSignIn') {
      double.signedIn = true;
      double.recentSignIn = true;
      response.writeHead(302, { location: pageAfterSignIn(query.get('return') ?? '/') }).end();
      return;
    }
    if (!double.signedIn) return refuse(response, { code: 'not_signed_in' });
    if (route.method === 'POST' && request.headers[changeHeader] === undefined)
      return refuse(response, { code: 'cross_site_request' });
    const parsed = route.body.safeParse(route.body === none ? undefined : given, errorParsing);
    // Issues of a body, as the service reports them.
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['body', ...issue.path] }));
      return refuse(response, {
        code: 'invalid_request',
        ...requestProblem(issues, z.object({ body: route.body })).extra,
      });
    }
    const call = { route: name, params, query, body: parsed.data, role: double.role } as Call;
    double.calls.push(call);
    const content = (await double.overrides[name]?.(call)) ?? answerOf(call);
    if (content === 'hang_up') return void response.destroy();
    if (isRefusal(content)) return refuse(response, content);
    const sent = JSON.stringify(route.response.parse(content));
    response.writeHead(route.status, { 'content-type': 'application/json' }).end(sent);
  }

  function answerOf(call: Call): object {
    const { route: name } = call;
    switch (name) {
      case 'getMe':
        return me();
      case 'signOut':
        double.signedIn = false;
        return {};
      case 'acceptInvitation':
        return (call as Call<'acceptInvitation'>).body.token === 'used'
          ? { code: 'invitation_not_found' }
          : { practiceId: lakeside, role: double.role };
      case 'beginSignIn':
      case 'finishSignIn':
        return {};
      default: {
        const { access }: { readonly access: MemberAccess } = dashboardRoutes[name];
        const owner = call.params['practiceId'] ?? '';
        const data = ownerOf(owner, access);
        if (!data) return { code: 'practice_not_found' };
        if (double.isActing && owner !== harbor && access.ownMembersOnly) return { code: 'own_members_only' };
        if (!allows(double.role, access.role)) return { code: 'role_too_low' };
        if (needsRecentSignIn(dashboardRoutes[name]) && !double.recentSignIn) return { code: 'sign_in_too_old' };
        const answerTo = memberAnswers[name] as (data: PracticeData, request: Call<MemberRouteName>) => object;
        return answerTo(data, call as Call<MemberRouteName>);
      }
    }
  }

  function ownerOf(owner: string, { platform }: MemberAccess): PracticeData | undefined {
    if (owner === harbor) return double.isActing && platform !== undefined ? double.platform : undefined;
    const practice = platform === 'only' ? undefined : double.practices[owner];
    return double.isActing && practice?.settings.platformId !== harbor ? undefined : practice;
  }

  function needsRecentSignIn({ access }: DashboardRoute): boolean {
    if (typeof access !== 'object') return false;
    return access.recentSignIn === true || (access.recentSignIn === 'live_mode' && double.mode === 'live');
  }

  function me(): Me {
    return {
      user: { userId: 'usr_you', email: 'ana.ruiz@lakeside.example', authenticatedAt: before(0) },
      mode: double.mode,
      practices: double.isActing
        ? []
        : Object.values(double.practices).map(({ settings: { practiceId, name } }) => ({
            practiceId,
            name,
            role: double.role,
          })),
      platforms: double.isActing ? [{ platformId: harbor, name: harborName, role: double.role }] : [],
    };
  }

  async function serveFile(path: string, response: ServerResponse): Promise<void> {
    if (path.startsWith('/logos/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(pictures.png);
      return;
    }
    const file = extname(path) === '' ? '/index.html' : path;
    const content = await readFile(join(assets, file)).catch(() => undefined);
    if (!content) return void response.writeHead(404).end();
    response
      .writeHead(200, {
        'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': contentSecurityPolicy,
        // Cached as when deployed, so that only the first page of a test file loads and compiles them.
        ...(path.startsWith('/assets/') && { 'cache-control': 'public, max-age=31536000, immutable' }),
      })
      .end(content);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The double has no port.');

  const initial = () => ({
    role: 'admin' as Role,
    signedIn: true,
    recentSignIn: true,
    mode: 'sandbox' as const,
    practices: { [lakeside]: oldPractice(), [maple]: newPractice() },
    platform: platform(),
    isActing: false,
    overrides: {},
    calls: [],
  });
  const double: DashboardApiDouble = {
    url: `http://127.0.0.1:${address.port}`,
    ...initial(),
    reset: () => void Object.assign(double, initial()),
    joinHarbor({ acting } = { acting: false }) {
      const own = double.practices[lakeside];
      if (!own) throw new Error('The double has no Lakeside.');
      own.settings = { ...own.settings, platformId: harbor, platformSince: before(40 * day), platformName: harborName };
      double.isActing = acting;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(assets, { recursive: true, force: true });
    },
  };
  return double;
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, title } = problems[refusal.code];
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ type: 'about:blank', title, status, detail: title, requestId: 'req_1', ...refusal }));
}
