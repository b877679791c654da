import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import {
  createdSession,
  idempotencyKeyHeader,
  type CreatedSession,
  type CreateSessionBody,
} from '../contract/practice-api.ts';
import { practiceRoutes } from '../contract/practice-routes.ts';
import { sessionToken, sha256, ulid } from '../domain/identifier.ts';
import { linkExpiry, type Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import { hostedPageUrl, mode, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { requestProblem } from '../http/problem.ts';
import { connect } from '../store/database.ts';
import { requirePractice } from '../store/practices.ts';
import { createSession } from '../store/sessions.ts';
import { Problem } from '../contract/problems.ts';

const database = connect(tableNames('apiKeys', 'practices', 'sessions', 'idempotencyKeys'));
const stageMode = mode();
const pageUrl = hostedPageUrl();

/** Creates a session for one patient and one invoice and answers with the patient's link. */
export const handler = practiceRoute(
  database,
  stageMode,
  practiceRoutes.createSession,
  async ({ practiceId }, { body, request, now, facts }) => {
    const key = idempotencyKeyOf(request.headers['idempotency-key']);
    const { linkLifetimeDays } = await requirePractice(database, practiceId);
    const { session, response } = newSession(practiceId, body, linkLifetimeDays, now);
    const requestHash = sha256(
      JSON.stringify([
        body.invoiceId,
        body.amountCents,
        body.patient.firstName,
        body.patient.lastName,
        sortedEntries(body.metadata),
      ]),
    );
    const idempotent =
      key === undefined ? undefined : { practiceId, key, requestHash, responseBody: JSON.stringify(response) };
    const earlier = await createSession(database, session, idempotent, now);
    if (!earlier) {
      facts.sessionId = session.sessionId;
      return { body: response };
    }
    if (earlier.requestHash !== requestHash)
      throw new Problem('idempotency_key_reused', 'Use a new key for a new request.');
    const replayed = z.parse(createdSession, JSON.parse(earlier.responseBody));
    facts.sessionId = replayed.sessionId;
    return { body: replayed, headers: { 'idempotent-replayed': 'true' } };
  },
);

function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const parsed = z.safeParse(idempotencyKeyHeader, header);
  if (parsed.success) return parsed.data;
  throw requestProblem([
    { pointer: 'Idempotency-Key', code: 'invalid_value', detail: 'Send 1 to 255 printable ASCII characters.' },
  ]);
}

function newSession(
  practiceId: string,
  body: CreateSessionBody,
  linkLifetimeDays: number,
  now: number,
): { session: Session; response: CreatedSession } {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const token = sessionToken(sessionId, randomBytes);
  const { invoiceId, amountCents, patient, metadata = {} } = body;
  const shared = {
    sessionId,
    status: 'pending',
    amountCents,
    expiresAt: toIso(linkExpiry(now, linkLifetimeDays)),
    createdAt: toIso(now),
  } as const;
  return {
    session: {
      ...shared,
      practiceId,
      tokenHash: sha256(token),
      invoiceId,
      patient,
      metadata,
      livemode: stageMode === 'live',
      sequence: 0,
      bankConnectionAttempts: 0,
      debitAttempts: 0,
    },
    response: { ...shared, hostedUrl: `${pageUrl}/s/${token}` },
  };
}

/** Metadata in an order of its own, so that the same request with its keys in another order counts as the same. */
function sortedEntries(metadata: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(metadata).sort(([left], [right]) => (left < right ? -1 : 1));
}
