import { mostFound, type SessionSearch } from '../contract/sessions/dashboard-sessions.ts';
import { sessionIdRange } from '../domain/cursor.ts';
import { isSessionId } from '../domain/identifier.ts';
import { hasOutcome } from '../domain/sessions/outcome.ts';
import {
  hasNames,
  invoiceSpellings,
  isNamed,
  splitAmount,
  typedReceiptNumber,
} from '../domain/sessions/patient-search.ts';
import { withExpiry, type Session } from '../domain/sessions/session.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import type { ReadingTools } from '../store/database.ts';
import {
  idsByInvoice,
  idsByLastName,
  idsByName,
  idsByReceipt,
  idsByWords,
  mostRead,
  newestIds,
} from '../store/sessions/session-search.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { findBlocks } from './blocks.ts';
import { withoutPaidElsewhere } from './list.ts';

interface SearchInput extends SessionSearch {
  readonly practiceId: string;
  /** Whether the caller may see names. A search by name would reveal them. */
  readonly byName: boolean;
}

/**
 * Finds sessions by a patient's name, an amount or both, an invoice ID, a receipt number or a session ID, or those
 * with these IDs. Newest first, with what blocks each of them. `complete` is false if more may match than are returned.
 */
export async function searchSessions(tools: ReadingTools, input: SearchInput, now: number) {
  const { practiceId, createdSince, createdBefore, outcome = [], sessionIds } = input;
  const { database } = tools;
  const text = input.text?.trim() ?? '';
  const { words, amountCents } = splitAmount(text);
  const onlyAmount = words === '' && amountCents !== undefined;
  const days = sessionIdRange({ createdSince, createdBefore }, undefined);
  const [{ exact, others, complete: allRead }, practice] = await Promise.all([
    sessionIds
      ? { exact: new Set(sessionIds.filter(isSessionId)), others: [], complete: true }
      : findIds(tools, { ...input, text, words, onlyAmount }, days),
    getExistingPractice(database, practiceId),
  ]);
  const all = [...new Set([...exact, ...others])];
  const ids = newestOf(all, days).slice(0, mostRead);

  // The patient may have been erased since the index was read.
  const isSought = ({ sessionId, patient, amountCents: amount }: Session) =>
    exact.has(sessionId) ||
    ((onlyAmount || (patient && (isNamed(patient, words) || hasNames(patient, words)))) &&
      (amountCents ?? amount) === amount);
  const found: Session[] = [];
  let read = 0;
  while (read < ids.length && found.length < mostFound) {
    const rows = await getSessions(database, ids.slice(read, read + mostFound));
    read += mostFound;
    const matching = rows
      .filter((session) => session.practiceId === practiceId && isSought(session))
      .map((session) => withExpiry(session, now))
      .filter((session) => outcome.length === 0 || hasOutcome(session, outcome));
    found.push(...(await withoutPaidElsewhere(tools, matching, input, practice)));
  }
  const sessions = found.slice(0, mostFound);
  const complete = allRead && all.length <= mostRead && read >= ids.length && found.length <= mostFound;
  return { sessions, blocks: await findBlocks(tools, sessions, practice), complete };
}

type Days = ReturnType<typeof sessionIdRange>;

interface Sought extends Pick<SearchInput, 'practiceId' | 'byName'> {
  readonly text: string;
  /** The text without the amount. */
  readonly words: string;
  readonly onlyAmount: boolean;
}

/**
 * Finds IDs by text, and the newest IDs of `days` for an amount alone. The text is the ID, the invoice or the receipt number of
 * those in `exact`, so their names and amounts need not match.
 */
async function findIds(tools: ReadingTools, { practiceId, byName, text, words, onlyAmount }: Sought, days: Days) {
  const { database } = tools;
  const [byInvoice, named, lastNamed, ofDays] = await Promise.all([
    idsByInvoice(database, practiceId, invoiceSpellings(text)),
    byName ? idsByName(database, practiceId, words) : [],
    byName ? idsByLastName(database, practiceId, words) : { ids: [], complete: true },
    onlyAmount && days ? newestIds(database, practiceId, days) : [],
  ]);
  const others = [...named, ...ofDays];
  const isFound = byInvoice.length + others.length > 0;
  const byNumber = await idsByNumber(tools, practiceId, text, isFound ? undefined : days);
  const exact = new Set([...byInvoice, ...byNumber.ids]);
  // Those found by last name do not count: they may not have this name, and these words are looked for in all names.
  const isUnknownName = byName && exact.size === 0 && others.length === 0 && /^\D+$/.test(words);
  const wide = isUnknownName ? await idsByWords(database, practiceId, words) : lastNamed;
  return { exact, others: [...others, ...wide.ids], complete: wide.complete && byNumber.complete };
}

/** The IDs from the days that are searched, newest first. */
function newestOf(ids: readonly string[], days: Days): string[] {
  if (!days) return [];
  return ids
    .filter((id) => days.first <= id && id <= days.last)
    .sort()
    .reverse();
}

/** Finds a session ID, or a receipt number within these days. Without days, skips receipt numbers: those cost more. */
async function idsByNumber({ database }: ReadingTools, practiceId: string, text: string, days: Days) {
  if (isSessionId(text)) return { ids: [text], complete: true };
  const receiptNumber = days && typedReceiptNumber(text);
  return receiptNumber ? idsByReceipt(database, practiceId, receiptNumber, days) : { ids: [], complete: true };
}
