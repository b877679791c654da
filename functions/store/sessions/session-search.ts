import * as z from 'zod/mini';
import { pagesOf } from '../../domain/collections.ts';
import { soughtKey, soughtLastWordKey, wordsOf } from '../../domain/sessions/patient-search.ts';
import { receiptNumberOf } from '../../domain/sessions/session.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { queryPage, type After, type Query } from '../rows.ts';
import { practiceInvoice } from './sessions.ts';

/** More IDs are not read: whoever searches can type more. */
export const mostRead = 1000;

/** A page is a megabyte: about 10,000 sessions. */
const maximumPages = 5;

const keys = z.object({ sessionId: z.string() });

interface FoundIds {
  readonly ids: readonly string[];
  readonly complete: boolean;
}

/** IDs of sessions whose patients' names begin like this, in any order. Sorted by name. */
export async function idsByName(database: Database, practiceId: string, name: string): Promise<string[]> {
  const sought = soughtKey(name);
  if (sought === '') return [];
  const ofPractice = expression`practiceId = ${practiceId}`;
  const byLastWord = [...new Set([sought, soughtLastWordKey(name)])].filter((key) => key !== '');
  return idsOf(database, [
    { index: 'byLastName', key: expression`${ofPractice} AND begins_with(lastFirst, ${sought})` },
    { index: 'byFirstName', key: expression`${ofPractice} AND begins_with(firstLast, ${sought})` },
    ...byLastWord.map((key) => ({
      index: 'byLastWord',
      key: expression`${ofPractice} AND begins_with(lastWordFirst, ${key})`,
    })),
  ]);
}

const lastNamed = z.object({ sessionId: z.string(), lastFirst: z.string() });

/**
 * Like "Lopez, Maria" for María López García. Empty if it is one word. Keys do not show where a word begins, so others can be
 * among them. Not `complete` if some were not read.
 */
export async function idsByLastName(database: Database, practiceId: string, name: string): Promise<FoundIds> {
  const [lastName = '', ...others] = wordsOf(name);
  if (others.length === 0) return { ids: [], complete: true };
  const key = expression`practiceId = ${practiceId} AND begins_with(lastFirst, ${soughtKey(lastName)})`;
  const query = { index: 'byLastName', key, limit: mostRead + 1 };
  const { rows, after } = await queryPage(database, 'sessions', query, lastNamed);
  const found = rows.filter(({ lastFirst }) => others.every((other) => lastFirst.includes(other)));
  return { ids: found.map(({ sessionId }) => sessionId), complete: after === undefined };
}

export async function idsByInvoice(
  database: Database,
  practiceId: string,
  invoiceIds: readonly string[],
): Promise<string[]> {
  const invoices = new Set(invoiceIds.map((invoiceId) => practiceInvoice(practiceId, invoiceId)));
  return idsOf(
    database,
    [...invoices].map((invoice) => ({
      index: 'byInvoice',
      key: expression`practiceInvoice = ${invoice}`,
      newestFirst: true,
    })),
  );
}

/** The newest IDs of a practice between two IDs. */
export function newestIds(database: Database, practiceId: string, range: IdRange): Promise<string[]> {
  return idsOf(database, [newestBetween(practiceId, range)]);
}

interface IdRange {
  readonly first: string;
  readonly last: string;
}

function newestBetween(practiceId: string, { first, last }: IdRange): Query {
  const key = expression`practiceId = ${practiceId} AND sessionId BETWEEN ${first} AND ${last}`;
  return { index: 'byPractice', key, newestFirst: true };
}

async function idsOf(database: Database, queries: readonly Query[]): Promise<string[]> {
  const limit = mostRead + 1;
  const pages = [];
  for (const query of queries) pages.push(queryPage(database, 'sessions', { ...query, limit }, keys));
  return (await Promise.all(pages)).flatMap(({ rows }) => rows.map(({ sessionId }) => sessionId));
}

const named = z.object({ sessionId: z.string(), firstLast: z.string() });

/**
 * IDs of sessions whose patients' names have these words anywhere, even in the middle of another word. The practice's names
 * are read in their order: an index of words would cost a write for each. Not `complete` if some were not read.
 */
export async function idsByWords(database: Database, practiceId: string, name: string): Promise<FoundIds> {
  const words = wordsOf(name);
  if (words.length === 0) return { ids: [], complete: true };
  const query = { index: 'byFirstName', key: expression`practiceId = ${practiceId}` };
  const ids: string[] = [];
  let complete = false;
  for await (const { rows, after } of firstPages(database, query, named)) {
    const found = rows.filter(({ firstLast }) => words.every((word) => firstLast.includes(word)));
    ids.push(...found.map(({ sessionId }) => sessionId));
    complete = after === undefined;
  }
  return { ids, complete };
}

/**
 * The newest session with this receipt number between two IDs. It is the end of the ID, so IDs are read, newest first: an
 * index would cost every session a write. Not `complete` if some were not read.
 */
export async function idsByReceipt(
  database: Database,
  practiceId: string,
  receiptNumber: string,
  range: IdRange,
): Promise<FoundIds> {
  const query = newestBetween(practiceId, range);
  let complete = false;
  for await (const { rows, after } of firstPages(database, query, keys)) {
    const found = rows.find((row) => receiptNumberOf(row) === receiptNumber);
    if (found) return { ids: [found.sessionId], complete: true };
    complete = after === undefined;
  }
  return { ids: [], complete };
}

/** Only the very last page has no `after`. */
async function* firstPages<Schema extends z.ZodMiniType>(database: Database, query: Query, schema: Schema) {
  let count = 0;
  for await (const page of pagesOf((after: After) => queryPage(database, 'sessions', { ...query, after }, schema))) {
    yield page;
    count += 1;
    if (count === maximumPages) return;
  }
}
