import { isSessionId } from '../domain/identifier.ts';
import { hasOutcome, type Outcome } from '../domain/sessions/outcome.ts';
import { invoiceSpellings, isNamed, splitAmount, typedReceiptNumber } from '../domain/sessions/patient-search.ts';
import { withExpiry, type Session } from '../domain/sessions/session.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { idByReceipt, idsByInvoice, idsByName, mostFound } from '../store/sessions/session-search.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { findBlocks } from './blocks.ts';
import type { StatusTools } from './list.ts';

interface SearchInput {
  readonly practiceId: string;
  /** What somebody typed. */
  readonly text: string;
  /** Whether the caller may see names: whoever finds by them learns them. */
  readonly byName: boolean;
  readonly outcome?: readonly Outcome[] | undefined;
  readonly createdSince?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/**
 * Finds sessions by a patient's name and perhaps an amount, an invoice ID, a receipt number or a session ID. Newest first,
 * with what blocks each of them. `complete` is false if more match than are returned.
 */
export async function searchSessions(tools: StatusTools, input: SearchInput, now: number) {
  const { practiceId, byName } = input;
  const { database } = tools;
  const text = input.text.trim();
  const { words, amountCents } = splitAmount(text);
  const [byInvoice, named, practice] = await Promise.all([
    idsByInvoice(database, practiceId, invoiceSpellings(text)),
    byName ? idsByName(database, practiceId, words) : [],
    getExistingPractice(database, practiceId),
  ]);
  const exact = new Set([...byInvoice, ...(await idsByNumber(tools, practiceId, text, [...byInvoice, ...named]))]);
  const ids = [...new Set([...exact, ...named])];
  const rows = await getSessions(database, ids.slice(0, mostFound));
  // Since the index was read, the patient may have been erased.
  const isSought = ({ sessionId, patient, amountCents: amount }: Session) =>
    exact.has(sessionId) || (patient && isNamed(patient, words) && (amountCents ?? amount) === amount);
  const sessions = rows
    .filter((session) => session.practiceId === practiceId && isSought(session))
    .map((session) => withExpiry(session, now))
    .filter((session) => passes(session, input))
    .sort((one, other) => (one.sessionId < other.sessionId ? 1 : -1));
  return { sessions, blocks: await findBlocks(tools, sessions, practice), complete: ids.length <= mostFound };
}

/** A session ID, or a receipt number unless something else was found: it costs more to look for. */
async function idsByNumber(
  { database }: StatusTools,
  practiceId: string,
  text: string,
  found: readonly string[],
): Promise<string[]> {
  if (isSessionId(text)) return [text];
  const receiptNumber = found.length === 0 ? typedReceiptNumber(text) : undefined;
  const sessionId = receiptNumber && (await idByReceipt(database, practiceId, receiptNumber));
  return sessionId ? [sessionId] : [];
}

function passes(session: Session, { outcome = [], createdSince, createdBefore }: SearchInput): boolean {
  return (
    (outcome.length === 0 || hasOutcome(session, outcome)) &&
    (createdSince === undefined || session.createdAt >= createdSince) &&
    (createdBefore === undefined || session.createdAt < createdBefore)
  );
}
