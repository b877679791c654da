import { Problem } from '../contract/problem.ts';
import { practiceHeader, type PracticeRoute } from '../contract/practice-route.ts';
import { parseApiKey, type ApiKey } from '../domain/practices/api-key.ts';
import { isPlatformId, servesPractice } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import type { ApiKeyAuthor } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import { canBeId, equalInConstantTime, isSessionId } from '../domain/identifier.ts';
import { toIso } from '../domain/time.ts';
import { logFault } from '../log.ts';
import { getApiKey, recordKeyUse } from '../store/practices/api-keys.ts';
import { getPracticeNow } from '../store/practices/platforms.ts';
import type { Database, ModeTools } from '../store/database.ts';
import { rateLimiter, storedRateLimits } from './rate-limiter.ts';
import { bearerToken, type HttpRequest } from './request.ts';
import { routeHandler, type Handle } from './route-handler.ts';

interface PracticeCaller {
  /** The practice that the request is about or, on routes that allow it, the platform. */
  readonly practiceId: string;
  readonly author: ApiKeyAuthor;
  /** The practice, if a platform's key names one. */
  readonly servedPractice: Practice | undefined;
}

/** The handler of a function that serves one route. */
export function practiceRoute<Called extends PracticeRoute>(
  tools: ModeTools,
  route: Called,
  handle: Handle<Called, PracticeCaller>,
) {
  const limit = rateLimiter(storedRateLimits(tools.database));
  return routeHandler(
    route,
    async (request, now, facts, answerHeaders): Promise<PracticeCaller> => {
      const sessionId = request.pathParameters?.['sessionId'] ?? '';
      if (isSessionId(sessionId)) facts.sessionId = sessionId;
      const key = await authenticate(tools, request, now);
      const { scopes, keyId, name } = key;
      const servedPractice = await practiceNamed(tools, route, key, request).catch(async (error: unknown) => {
        // Otherwise, a key could probe practice IDs without limit.
        await limit(key.practiceId, now, answerHeaders);
        throw error;
      });
      const practiceId = servedPractice?.practiceId ?? key.practiceId;
      await limit(practiceId, now, answerHeaders);
      await noteUse(tools, key, now);
      if (route.scope !== 'any' && !scopes.includes(route.scope))
        throw new Problem('scope_missing', `Use a key with the scope ${route.scope}.`);
      const address = request.requestContext.http.sourceIp;
      const acting = servedPractice && { platformId: key.practiceId };
      return { practiceId, servedPractice, author: { kind: 'api_key', keyId, name, ...acting, address } };
    },
    handle,
  );
}

/** The practice, on a route that names it in its path. */
export function requireNamed({ servedPractice }: PracticeCaller): Practice {
  if (!servedPractice) throw new Fault('a route about one practice names none');
  return servedPractice;
}

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

async function authenticate({ database, mode }: ModeTools, request: HttpRequest, now: number): Promise<ApiKey> {
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

/**
 * The practice that a platform's key names, in the header or in the path of one of the platform's own routes. A practice
 * that has left the platform does not exist for it.
 */
async function practiceNamed(
  { database }: ModeTools,
  { platform }: PracticeRoute,
  { practiceId: owner }: ApiKey,
  { headers, pathParameters = {} }: HttpRequest,
): Promise<Practice | undefined> {
  const isPlatforms = isPlatformId(owner);
  if (!isPlatforms && platform === 'only')
    throw new Problem('platform_key_required', "Use a platform's key: a practice cannot manage other practices.");
  const inHeader = headers[practiceHeader];
  if (inHeader !== undefined && isPlatforms && platform === 'itself')
    throw new Problem(
      'practice_id_not_allowed',
      "Leave out the header `Practice-Id`: an endpoint of your platform gets its practices' events. A practice's own endpoints are changed with its own key.",
    );
  if (inHeader !== undefined && (!isPlatforms || platform === 'only'))
    throw new Problem('practice_id_not_allowed', 'Leave out the header `Practice-Id`.');
  // A gateway joins repeated headers with commas. Without this error, a client whose proxy adds a second one would look for a wrong ID.
  if (inHeader?.includes(',')) throw new Problem('practice_not_found', 'Send `Practice-Id` once, with one ID.');
  // An unset variable leaves this. It is not the same as no header, which some calls take for the platform itself.
  if (inHeader?.trim() === '') throw new Problem('practice_not_found', '`Practice-Id` is empty: send one ID in it.');
  const named = platform === 'only' ? pathParameters['practiceId'] : inHeader;
  if (named !== undefined) return requireServed(database, owner, named);
  if (isPlatforms && platform === undefined)
    throw new Problem('practice_id_missing', 'Name the practice in the header `Practice-Id`.');
  return undefined;
}

/** Throws a Problem unless the platform may act for the practice now. */
async function requireServed(database: Database, platformId: string, practiceId: string): Promise<Practice> {
  const practice = canBeId(practiceId) ? await getPracticeNow(database, practiceId) : undefined;
  if (practice && servesPractice(platformId, practice)) return practice;
  throw new Problem('practice_not_found', "Use the ID of one of your platform's practices.");
}

/** Only tells people which keys are in use, so a failure does not fail the request. */
async function noteUse({ database }: ModeTools, { keyId, lastUsedOn }: ApiKey, now: number): Promise<void> {
  const today = toIso(now).slice(0, 10);
  if (lastUsedOn === today) return;
  try {
    await recordKeyUse(database, keyId, today);
  } catch (error) {
    logFault('key use not recorded', error, { keyId }, [{ metric: 'UnrecordedKeyUses', value: 1 }]);
  }
}
