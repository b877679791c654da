import { backgroundHeader, changeHeader, type DashboardRoute, type MemberRoute } from '../contract/dashboard-route.ts';
import { Problem } from '../contract/problem.ts';
import type { UserAuthor } from '../domain/team/audit-entry.ts';
import { isOpen, isRecentSignIn, needsTouch, type DashboardSession } from '../domain/team/sign-in.ts';
import { canBeId, isSessionId, sha256 } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import { allows, type Role } from '../domain/team/member.ts';
import { toIso } from '../domain/time.ts';
import { getDashboardSession, touchDashboardSession } from '../store/team/dashboard-sessions.ts';
import type { ReadingTools } from '../store/database.ts';
import { getPracticeNow } from '../store/practices/platforms.ts';
import { getMember, type MemberKey } from '../store/team/members.ts';
import { readCookie } from './cookies.ts';
import { requireDistribution, viewerAddressOf, type HttpRequest } from './request.ts';
import { areaRoute, type AreaRoute } from './area-handler.ts';
import { responderOf, type Handle } from './route-handler.ts';

interface SignedInTools extends ReadingTools {
  readonly dashboardUrl: string;
}

interface MemberTools extends ReadingTools {
  readonly dashboardUrl: string;
  /** Absent means live. */
  readonly mode?: Mode;
}

interface SignedIn {
  readonly session: DashboardSession;
  readonly author: UserAuthor;
}

interface Membership {
  readonly role: Role;
  /** Present if the user is not a member of the practice, but of its platform. */
  readonly platformId?: string;
}

export interface MemberCaller extends Membership {
  /** The practice that the request is about or, on routes that allow it, the platform. */
  readonly practiceId: string;
  readonly userId: string;
  /** The author in the audit log. */
  readonly author: UserAuthor;
}

/** Handles a request from any signed-in user, even one without a practice. */
export function signedInRoute<Called extends DashboardRoute & { readonly access: 'signed_in' }>(
  tools: SignedInTools,
  route: Called,
  handle: Handle<Called, SignedIn>,
): AreaRoute {
  return areaRoute(
    route,
    responderOf(
      route,
      requireDistribution(async (request, now) => requireSignedIn(tools, route, request, now)),
      handle,
    ),
  );
}

/** Handles a request from a member of the practice in the path, or of its platform, whose role is high enough. */
export function memberRoute<Called extends MemberRoute>(
  tools: MemberTools,
  route: Called,
  handle: Handle<Called, MemberCaller>,
): AreaRoute {
  return areaRoute(
    route,
    responderOf(
      route,
      requireDistribution(async (request, now, facts): Promise<MemberCaller> => {
        const { session, author } = await requireSignedIn(tools, route, request, now);
        const { practiceId = '', sessionId = '' } = request.pathParameters ?? {};
        if (isSessionId(sessionId)) facts.sessionId = sessionId;
        const { userId } = session;
        const member = await membershipOf(tools, route, { practiceId, userId });
        if (!member) throw new Problem('practice_not_found', 'Choose one of your practices.');
        const acting = member.platformId !== undefined && { platformId: member.platformId };
        if (acting && route.access.ownMembersOnly)
          throw new Problem('own_members_only', 'Ask an admin of the practice: its platform cannot do this for it.');
        if (!allows(member.role, route.access.role))
          throw new Problem('role_too_low', `Ask an admin of the practice: this needs the role ${route.access.role}.`);
        const { recentSignIn } = route.access;
        const needsRecentSignIn = recentSignIn === true || (recentSignIn === 'live_mode' && tools.mode !== 'sandbox');
        if (needsRecentSignIn && !isRecentSignIn(session, now))
          throw new Problem('sign_in_too_old', 'This needs a sign-in within the last 5 minutes.');
        return { practiceId, userId, role: member.role, ...acting, author: { ...author, ...acting } };
      }),
      handle,
    ),
  );
}

/** Strongly consistent: a removed member, or a platform whose practice left, loses access with the next request. */
async function membershipOf(
  { database }: MemberTools,
  { access }: MemberRoute,
  { practiceId, userId }: MemberKey,
): Promise<Membership | undefined> {
  if (!canBeId(practiceId)) return undefined;
  const isPlatform = isPlatformId(practiceId);
  if (isPlatform ? access.platform === undefined : access.platform === 'only') return undefined;
  const own = await getMember(database, { practiceId, userId });
  if (own) return { role: own.role };
  const { platformId } = (!isPlatform && (await getPracticeNow(database, practiceId))) || {};
  if (platformId === undefined) return undefined;
  const member = await getMember(database, { practiceId: platformId, userId });
  return member && { role: member.role, platformId };
}

async function requireSignedIn(
  { database, dashboardUrl }: SignedInTools,
  { method }: Pick<DashboardRoute, 'method'>,
  request: HttpRequest,
  now: number,
): Promise<SignedIn> {
  const secret = readCookie(request, 'dashboard', dashboardUrl);
  const session = secret ? await getDashboardSession(database, sha256(secret)) : undefined;
  if (!session || !isOpen(session, now)) throw new Problem('not_signed_in', 'Sign in.');
  if (method !== 'GET' && !isFromDashboard(request, dashboardUrl))
    throw new Problem('cross_site_request', `Send it from the dashboard, with the header ${changeHeader}.`);
  if (needsTouch(session, now) && request.headers[backgroundHeader] === undefined)
    await touchDashboardSession(database, session, toIso(now));
  const { userId, email } = session;
  return { session, author: { kind: 'user', userId, email, ...addressesOf(request) } };
}

/** The viewer's address as the distribution reports it, and the address that connected to the API if it differs. */
function addressesOf({ headers, requestContext }: HttpRequest): Pick<UserAuthor, 'address' | 'sourceAddress'> {
  const { sourceIp } = requestContext.http;
  const viewer = viewerAddressOf(headers);
  return viewer === undefined || viewer === sourceIp
    ? { address: sourceIp }
    : { address: viewer, sourceAddress: sourceIp };
}

/** Another site can send neither this header nor these values. */
function isFromDashboard({ headers }: HttpRequest, dashboardUrl: string): boolean {
  if (headers[changeHeader] !== '1') return false;
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers['origin'] === new URL(dashboardUrl).origin : site === 'same-origin';
}
