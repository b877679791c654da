import { createdSession, type CreatedSession, type CreateSessionBody } from '../contract/sessions/create-session.ts';
import { replayOf } from '../contract/idempotency.ts';
import { Problem } from '../contract/problem.ts';
import { invalidRequestWith } from '../contract/request-errors.ts';
import {
  leastCents,
  mostCents,
  applicationFee,
  feeTermsOf,
  hasFeeTerms,
  leastAmount,
} from '../domain/payments/debit.ts';
import { hashOfToken, sessionToken, sha256, ulid } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import type { Platform } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { linkExpiry, type Session } from '../domain/sessions/session.ts';
import { toIso } from '../domain/time.ts';
import type { Database, WritingTools } from '../store/database.ts';
import { getIdempotencyKey } from '../store/idempotency-keys.ts';
import { getExistingPlatform, getPlatform } from '../store/practices/platforms.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { insertSession } from '../store/sessions/sessions.ts';
import type { SessionAudit } from './audit.ts';
import { findInvoiceBlocker } from './blocks.ts';
import { askToResumePayments } from './find.ts';
import type { Locale } from '../domain/locale.ts';

interface CreateTools extends WritingTools, SessionAudit {
  readonly mode: Mode;
  readonly hostedPageUrl: string;
}

interface CreateInput {
  readonly practiceId: string;
  /** Passed if the caller has just read it. */
  readonly practice?: Practice | undefined;
  readonly body: CreateSessionBody;
  readonly apiKeyId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Creates a session, or replays the response to an earlier request with the same idempotency key. */
export async function createSession(
  tools: CreateTools,
  { practiceId, practice: known, body, apiKeyId, idempotencyKey: key }: CreateInput,
  now: number,
) {
  const tooSmall = refusalBelow(leastCents[tools.mode], body, 'the processor debits no less.');
  if (tooSmall) throw tooSmall;
  const practice = known ?? (await getExistingPractice(tools.database, practiceId));
  if (practice.closedAt !== undefined)
    throw new Problem(
      'practice_closed',
      'A closed practice takes no payments. Ask whoever operates the payment service.',
    );
  const terms = feeTermsOf(practice, await readFeePlatform(tools.database, practice));
  const fee = applicationFee(terms, body.amountCents);
  const feeReason = `the operator's fee would be ${fee} cents.`;
  const refusal =
    practice.suspendedAt === undefined
      ? refusalBelow(leastAmount(terms), body, feeReason)
      : new Problem('practice_suspended', askToResumePayments);
  const requestHash = hashOf(body);
  if (refusal) {
    // The session may be from before the suspension, or have an earlier fee.
    const earlier = key === undefined ? undefined : await getIdempotencyKey(tools.database, { practiceId, key }, now);
    if (earlier) return replayOf(createdSession, earlier, requestHash);
    throw refusal;
  }
  const { session, hostedUrl } = newSession(tools, practice, { ...body, apiKeyId, fee }, now);
  const blocker = await findInvoiceBlocker(tools, session, practice);
  const { sessionId, amountCents, expiresAt, createdAt } = session;
  const response: CreatedSession = {
    sessionId,
    hostedUrl,
    status: 'pending',
    amountCents,
    expiresAt,
    createdAt,
    blockedBy: blocker?.blockedBy,
  };
  const idempotent =
    key === undefined ? undefined : { practiceId, key, requestHash, responseBody: JSON.stringify(response) };
  const audit = tools.audit?.('session.created', session);
  const earlier = await insertSession(tools.database, session, idempotent, now, audit);
  return earlier ? replayOf(createdSession, earlier, requestHash) : { response, replayed: false };
}

function refusalBelow(minimum: number, { amountCents }: CreateSessionBody, reason: string): Problem | undefined {
  if (amountCents >= minimum) return undefined;
  const detail = `Use at least ${minimum}: ${reason}`;
  const bounds = { expected: 'integer', minimum, maximum: mostCents };
  return invalidRequestWith([{ pointer: '/amountCents', code: 'out_of_range', detail, ...bounds }]);
}

/** The platform, if its fee applies. A change can take a second to appear. Throws a Fault if its row is missing, so that the fee is never skipped. */
async function readFeePlatform(database: Database, practice: Practice): Promise<Platform | undefined> {
  const { platformId } = practice;
  if (platformId === undefined || hasFeeTerms(practice)) return undefined;
  const nearby = await getPlatform(database, platformId, { consistent: false });
  return nearby ?? (await getExistingPlatform(database, platformId));
}

type Ordered = CreateSessionBody & Pick<CreateInput, 'apiKeyId'> & { readonly fee: number };

function newSession(
  { randomBytes, mode, hostedPageUrl }: CreateTools,
  practice: Practice,
  { invoiceId, amountCents, patient, metadata = {}, locale, returnUrl, apiKeyId, fee }: Ordered,
  now: number,
): { session: Session; hostedUrl: string } {
  const { practiceId, linkLifetimeDays } = practice;
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const token = sessionToken(sessionId, randomBytes);
  return {
    session: {
      sessionId,
      practiceId,
      tokenHash: hashOfToken(token),
      invoiceId,
      amountCents,
      patient,
      metadata,
      ...(locale && { locale }),
      ...(returnUrl !== undefined && { returnUrl }),
      ...(apiKeyId !== undefined && { via: apiKeyId }),
      ...(fee > 0 && { fee }),
      livemode: mode === 'live',
      status: 'pending',
      sequence: 0,
      createdAt: toIso(now),
      expiresAt: toIso(linkExpiry(now, linkLifetimeDays)),
      bankConnectionAttempts: 0,
    },
    hostedUrl: hostedUrlOf(hostedPageUrl, token, locale),
  };
}

/** Ignores the order of the metadata keys. */
function hashOf({ invoiceId, amountCents, patient, metadata = {}, locale, returnUrl }: CreateSessionBody): string {
  const entries = Object.entries(metadata).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const { firstName, lastName } = patient;
  return sha256(
    JSON.stringify([invoiceId, amountCents, firstName, lastName, entries, locale ?? null, returnUrl ?? null]),
  );
}

/** Without a locale, the page uses the browser's languages. */
export function hostedUrlOf(hostedPageUrl: string, token: string, locale: Locale | undefined): string {
  return `${hostedPageUrl}/s/${token}${locale === undefined ? '' : `?lang=${locale}`}`;
}
