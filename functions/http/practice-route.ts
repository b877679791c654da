import type * as z from 'zod/mini';
import type { Route } from '../contract/route.ts';
import { parseApiKey, type ApiKey, type Scope } from '../domain/api-key.ts';
import type { Mode } from '../domain/mode.ts';
import { equalInConstantTime, isSessionId } from '../domain/identifier.ts';
import type { Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import { getApiKey, recordKeyUse } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';
import { getSession } from '../store/sessions.ts';
import { endpoint, type Answer, type Call } from './route-handler.ts';
import { bearerToken, type HttpRequest } from './request.ts';
import { Problem } from '../contract/problems.ts';

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

async function authenticate(
  database: Database<'apiKeys'>,
  mode: Mode,
  request: HttpRequest,
  now: number,
): Promise<ApiKey> {
  const token = bearerToken(request);
  if (token === undefined) throw new Problem('api_key_missing', 'Send `Authorization: Bearer <API key>`.', challenge);
  const parts = parseApiKey(token);
  if (!parts) throw new Problem('api_key_invalid', 'Check that the key was copied whole.', challenge);
  if (parts.mode !== mode)
    throw new Problem(
      'api_key_wrong_mode',
      `This host takes ${mode} keys, and this is a ${parts.mode} key.`,
      challenge,
    );
  const key = await getApiKey(database, parts.keyId);
  if (!key || !equalInConstantTime(key.secretHash, parts.secretHash))
    throw new Problem('api_key_invalid', 'Use a key from your settings.', challenge);
  if (key.revokedAt !== undefined) throw new Problem('api_key_revoked', 'Use another key.', challenge);
  if (key.expiresAt !== undefined && toIso(now) >= key.expiresAt)
    throw new Problem('api_key_expired', 'Use another key.', challenge);
  const today = toIso(now).slice(0, 10);
  if (key.lastUsedOn !== today) await recordKeyUse(database, key.keyId, today);
  return key;
}

/** The session id in a route's path, where there is one that can be one. */
function sessionIdOf({ pathParameters }: HttpRequest): string | undefined {
  const named = pathParameters?.['sessionId'] ?? '';
  return isSessionId(named) ? named : undefined;
}

/** The session that a route's path names, if it is this practice's; another practice's is as if it did not exist. */
export async function requireOwnSession(
  database: Database<'sessions'>,
  practiceId: string,
  request: HttpRequest,
): Promise<Session> {
  const sessionId = sessionIdOf(request);
  const found = sessionId === undefined ? undefined : await getSession(database, sessionId);
  if (found?.practiceId !== practiceId) throw new Problem('session_not_found', 'Check the session id.');
  return found;
}

/** An endpoint of the practice API: the caller is the practice of the API key, which must have the route's scope. */
export function practiceRoute<Body extends z.ZodMiniType, Response extends z.ZodMiniType>(
  database: Database<'apiKeys'>,
  mode: Mode,
  route: Route<Body, Response> & { readonly scope: Scope },
  handle: (caller: { practiceId: string }, call: Call<z.output<Body>>) => Promise<Answer<z.input<Response>>>,
) {
  return endpoint(
    route,
    async (request, now, facts) => {
      const sessionId = sessionIdOf(request);
      if (sessionId !== undefined) facts.sessionId = sessionId;
      const { practiceId, scopes } = await authenticate(database, mode, request, now);
      if (!scopes.includes(route.scope)) throw new Problem('scope_missing', `Use a key with the scope ${route.scope}.`);
      return { practiceId };
    },
    handle,
  );
}
