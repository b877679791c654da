import { Problem } from '../contract/problem.ts';
import { practiceHeader, type PracticeRoute } from '../contract/practice-route.ts';
import { parseApiKey, type ApiKey } from '../domain/practices/api-key.ts';
import { isPlatformId, servesPractice } from '../domain/practices/platform.ts';
import type { ApiKeyAuthor } from '../domain/team/audit-entry.ts';
import { pick } from '../domain/collections.ts';
import { canBeId, equalInConstantTime, isSessionId } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { toIso } from '../domain/time.ts';
import { logFault } from '../log.ts';
import { getApiKey, recordKeyUse } from '../store/practices/api-keys.ts';
import { getPracticeNow } from '../store/practices/platforms.ts';
import type { Database } from '../store/database.ts';
import { rateLimiter, storedRateLimits } from './rate-limiter.ts';
import { bearerToken, type HttpRequest } from './request.ts';
import { areaRoute, type AreaRoute } from './area-handler.ts';
import { responderOf, routeHandler, type Handle, type Identify } from './route-handler.ts';

interface PracticeApiTools {
  readonly database: Database<'apiKeys' | 'practices' | 'rateLimits'>;
  readonly mode: Mode;
}

interface Subject {
  /** What the request is about: a practice or, on routes that say so, a platform. */
  readonly practiceId: string;
  /** Since when the platform serves the practice, if its key names one. */
  readonly platformSince?: string | undefined;
}

interface Caller extends Subject {
  readonly author: ApiKeyAuthor;
}

/** The handler of a function that serves one route of the practice API. */
export function practiceRoute<Called extends PracticeRoute>(
  tools: PracticeApiTools,
  route: Called,
  handle: Handle<Called, Caller>,
) {
  return routeHandler(route, identifying(tools, route), handle);
}

/** For a function that serves several routes of the practice API. */
export function practiceAreaRoute<Called extends PracticeRoute>(
  tools: PracticeApiTools,
  route: Called,
  handle: Handle<Called, Caller>,
): AreaRoute {
  return areaRoute(route, responderOf(route, identifying(tools, route), handle));
}

function identifying(tools: PracticeApiTools, route: PracticeRoute): Identify<Caller> {
  const limit = rateLimiter(storedRateLimits(tools.database));
  return async (request, now, facts, answerHeaders) => {
    const sessionId = request.pathParameters?.['sessionId'] ?? '';
    if (isSessionId(sessionId)) facts.sessionId = sessionId;
    const key = await authenticate(tools, request, now);
    const { scopes, keyId, name } = key;
    const subject = await subjectOf(tools, route, key, request);
    await limit(subject.practiceId, now, answerHeaders);
    await noteUse(tools, key, now);
    if (!scopes.includes(route.scope)) throw new Problem('scope_missing', `Use a key with the scope ${route.scope}.`);
    const address = request.requestContext.http.sourceIp;
    return { ...subject, author: { kind: 'api_key', keyId, name, address } };
  };
}

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

async function authenticate({ database, mode }: PracticeApiTools, request: HttpRequest, now: number): Promise<ApiKey> {
  const token = bearerToken(request);
  if (token === undefined) throw new Problem('api_key_missing', 'Send `Authorization: Bearer <API key>`.', challenge);
  const parts = parseApiKey(token);
  if (!parts) throw new Problem('api_key_invalid', 'Make sure you copied the whole key.', challenge);
  if (parts.mode !== mode)
    throw new Problem(
      'api_key_wrong_mode',
      `This host accepts ${mode} keys, and this is a ${parts.mode} key.`,
      challenge,
    );
  const key = await getApiKey(database, parts.keyId);
  if (!key || !equalInConstantTime(key.secretHash, parts.secretHash))
    throw new Problem('api_key_invalid', 'Use one of your current API keys.', challenge);
  if (key.revokedAt !== undefined) throw new Problem('api_key_revoked', 'Use a different key.', challenge);
  if (key.expiresAt !== undefined && toIso(now) >= key.expiresAt)
    throw new Problem('api_key_expired', 'Use a different key.', challenge);
  return key;
}

/** The practice or platform that the request is about. A practice that has left its platform does not exist for it. */
async function subjectOf(
  { database }: PracticeApiTools,
  { platform }: PracticeRoute,
  { practiceId: owner }: ApiKey,
  { headers }: HttpRequest,
): Promise<Subject> {
  const named = headers[practiceHeader];
  if (!isPlatformId(owner) && platform === 'only')
    throw new Problem('platform_key_required', 'Use a key of a platform: a practice cannot manage other practices.');
  if (!isPlatformId(owner) || platform === 'only') {
    if (named !== undefined) throw new Problem('practice_id_not_allowed', 'Leave out the header `Practice-Id`.');
    return { practiceId: owner };
  }
  if (named === undefined) {
    if (platform === 'too') return { practiceId: owner };
    throw new Problem('practice_id_missing', 'Name the practice in the header `Practice-Id`.');
  }
  const practice = canBeId(named) ? await getPracticeNow(database, named) : undefined;
  if (!practice || !servesPractice(owner, practice))
    throw new Problem('practice_not_found', "Use the ID of one of your platform's practices.");
  return pick(practice, ['practiceId', 'platformSince']);
}

/** Only informs people about which keys are in use, so a failure does not fail the request. */
async function noteUse({ database }: PracticeApiTools, { keyId, lastUsedOn }: ApiKey, now: number): Promise<void> {
  const today = toIso(now).slice(0, 10);
  if (lastUsedOn === today) return;
  try {
    await recordKeyUse(database, keyId, today);
  } catch (error) {
    logFault('key use not recorded', error, { keyId }, [{ metric: 'UnrecordedKeyUses', value: 1 }]);
  }
}
