import * as z from 'zod/mini';
import {
  createdSession,
  type CreatedSession,
  type CreateSessionBody,
} from '../contract/practice-api/create-session.ts';
import { Problem } from '../contract/problems.ts';
import { sessionToken, sha256, ulid, type RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { linkExpiry, type Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { getExistingPractice } from '../store/practices.ts';
import { insertSession } from '../store/sessions.ts';
import type { SessionAudit } from './audit.ts';

interface CreateTools extends SessionAudit {
  readonly database: Database<'practices' | 'sessions' | 'idempotencyKeys'>;
  readonly randomBytes: RandomBytes;
  readonly mode: Mode;
  readonly hostedPageUrl: string;
}

interface CreateInput {
  readonly practiceId: string;
  readonly body: CreateSessionBody;
  readonly idempotencyKey?: string | undefined;
}

/** Creates a session, or replays the response to an earlier request with the same idempotency key. */
export async function createSession(
  tools: CreateTools,
  { practiceId, body, idempotencyKey: key }: CreateInput,
  now: number,
): Promise<{ response: CreatedSession; replayed: boolean }> {
  const { linkLifetimeDays } = await getExistingPractice(tools.database, practiceId);
  const { session, response } = newSession(tools, practiceId, body, linkLifetimeDays, now);
  const requestHash = hashOf(body);
  const idempotent =
    key === undefined ? undefined : { practiceId, key, requestHash, responseBody: JSON.stringify(response) };
  const audit = tools.audit?.('session.created', session.sessionId);
  const earlier = await insertSession(tools.database, session, idempotent, now, audit);
  if (!earlier) return { response, replayed: false };
  if (earlier.requestHash !== requestHash)
    throw new Problem('idempotency_key_reused', 'Use a new key for a new request.');
  return { response: z.parse(createdSession, JSON.parse(earlier.responseBody)), replayed: true };
}

function newSession(
  { randomBytes, mode, hostedPageUrl }: CreateTools,
  practiceId: string,
  body: CreateSessionBody,
  linkLifetimeDays: number,
  now: number,
): { session: Session; response: CreatedSession } {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const token = sessionToken(sessionId, randomBytes);
  const { invoiceId, amountCents, patient, metadata = {} } = body;
  const expiresAt = toIso(linkExpiry(now, linkLifetimeDays));
  const shared = { sessionId, status: 'pending', amountCents, expiresAt, createdAt: toIso(now) } as const;
  return {
    session: {
      ...shared,
      practiceId,
      tokenHash: sha256(token),
      invoiceId,
      patient,
      metadata,
      livemode: mode === 'live',
      sequence: 0,
      bankConnectionAttempts: 0,
      debitAttempts: 0,
    },
    response: { ...shared, hostedUrl: `${hostedPageUrl}/s/${token}` },
  };
}

/** Ignores the order of the metadata keys. */
function hashOf({ invoiceId, amountCents, patient, metadata = {} }: CreateSessionBody): string {
  const entries = Object.entries(metadata).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sha256(JSON.stringify([invoiceId, amountCents, patient.firstName, patient.lastName, entries]));
}
