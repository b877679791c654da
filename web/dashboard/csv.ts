import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';
import type { Statement } from '../../functions/contract/payments/dashboard-payouts.ts';
import { badgeOf, givenBack, nameOf, reasonWords, receiptNumberOf } from './session-words.ts';
import type { PayoutLine } from '../../functions/contract/payments/payouts.ts';
import { dayOf } from './days.ts';

/** Text stays as it is. A `value` is an amount or a time, which a spreadsheet should recognize. */
export type Cell = string | { readonly value: string };

const byteOrderMark = '\uFEFF';

/** RFC 4180, with the byte order mark that makes Excel recognize UTF-8. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return byteOrderMark + rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  const text = typeof cell === 'string' ? spreadsheetText(cell) : cell.value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Column<Item> = readonly [name: string, cell: (item: Item) => Cell | undefined];

/** The rows of a table, with a header row. */
function rowsOf<Item>(items: readonly Item[], columns: readonly Column<Item>[]): Cell[][] {
  return [columns.map(([name]) => name), ...items.map((item) => columns.map(([, cell]) => cell(item) ?? ''))];
}

const dollars = (cents: number | undefined) => (cents === undefined ? '' : { value: (cents / 100).toFixed(2) });

interface SessionColumns {
  readonly timeZone: string;
  readonly names: boolean;
  /** Keyed by session. */
  readonly payoutIds: ReadonlyMap<string, string>;
}

/**
 * The rows of a session export, with a header row. Times are in the practice's time zone, and at the end in UTC: in the
 * night when the clocks go back, local times occur twice.
 */
export function sessionRows(
  sessions: readonly MemberSession[],
  { timeZone, names, payoutIds }: SessionColumns,
): Cell[][] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const local = (at: string | undefined) => at && { value: format.format(new Date(at)) };
  const utc = (at: string | undefined) => at && { value: at };
  const nameColumns: Column<MemberSession>[] = [
    ['Patient first name', ({ patient }) => patient && nameOf(patient.firstName)],
    ['Patient last name', ({ patient }) => patient && nameOf(patient.lastName)],
  ];
  return rowsOf(sessions, [
    ['Invoice', ({ invoiceId }) => invoiceId],
    ['Receipt number', (session) => session.processingAt && receiptNumberOf(session)],
    ...(names ? nameColumns : []),
    ['Amount (USD)', ({ amountCents }) => dollars(amountCents)],
    ['Outcome', (session) => badgeOf(session).words],
    ['Status', ({ status }) => status],
    ['Blocked by', ({ blockedBy }) => blockedBy],
    [`Created (${timeZone})`, ({ createdAt }) => local(createdAt)],
    ['Opened', ({ openedAt }) => local(openedAt)],
    ['Authorized', ({ processingAt }) => local(processingAt)],
    ['Paid', ({ settledAt }) => local(settledAt)],
    ['Failed', ({ failedAt }) => local(failedAt)],
    ['Failure reason', ({ failure }) => failure && reasonWords[failure.code]],
    ['Failure', ({ failure }) => failure?.code],
    ['Cancelled', ({ cancelledAt }) => local(cancelledAt)],
    ['Cancellation', ({ cancellation }) => cancellation?.reason],
    ['Returned', (session) => local(session.return?.returnedAt)],
    ['Return reason', (session) => session.return && reasonWords[session.return.code]],
    ['Return', (session) => session.return?.achReturnCode ?? session.return?.code],
    ['Refunded (USD)', (session) => session.refund && dollars(givenBack(session))],
    ['Refund pending (USD)', ({ refund }) => dollars(refund?.pendingCents)],
    ['Refund failed (USD)', ({ refund }) => dollars(refund?.failedCents)],
    ['Refund changed', ({ refund }) => local(refund?.refundedAt)],
    ['Metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata))],
    ['Created (UTC)', ({ createdAt }) => utc(createdAt)],
    ['Opened (UTC)', ({ openedAt }) => utc(openedAt)],
    ['Authorized (UTC)', ({ processingAt }) => utc(processingAt)],
    ['Paid (UTC)', ({ settledAt }) => utc(settledAt)],
    ['Failed (UTC)', ({ failedAt }) => utc(failedAt)],
    ['Cancelled (UTC)', ({ cancelledAt }) => utc(cancelledAt)],
    ['Returned (UTC)', (session) => utc(session.return?.returnedAt)],
    ['Refund changed (UTC)', ({ refund }) => utc(refund?.refundedAt)],
    ['Payout', ({ sessionId }) => payoutIds.get(sessionId)],
    ['Session', ({ sessionId }) => sessionId],
  ]);
}

export function saveFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What Excel, LibreOffice or Google Sheets calculates. In Japanese and Chinese, full-width signs count, too. */
const formula = String.raw`[\s\p{C}\p{Z}"';|]*[=+\-@\u2212＝＋－＠﹦﹢﹣﹫]`;
const startsFormula = new RegExp(`^${formula}`, 'u');
/** If the list separator is a semicolon, as in most of Europe, quotes within a line do not protect what follows it. */
const nextCellStartsFormula = new RegExp(String.raw`(?<=[;|\t\r\n])(?=${formula})`, 'gu');

/** Marks text that a spreadsheet would calculate or change. Whoever reads the file removes one apostrophe from the beginning. */
function spreadsheetText(text: string): string {
  const marked = /^[\t\r\n']/.test(text) || startsFormula.test(text) || isConverted(text);
  return `${marked ? "'" : ''}${text.replaceAll(nextCellStartsFormula, "'")}`;
}

/** Excel shows longer ones as 1.23457E+11. */
const keptNumber = /^(?:0|[1-9]\d{0,10})$/;
/** Matches the separators of any locale, a sign, a currency or an exponent. */
const amount = /^[-+(]* ?[$€£¥]? ?[.,]?\d[\d.,' ]*(?:e[-+]?\d+)? ?[%$€£¥]?\)?$/;
const dateTimeOrFraction = /^\d{1,4}(?:[-/.:,t ]+\d{1,4})+[-/.:, ]*(?:[ap]m?|z)?$/;
const hour = /^\d{1,2} ?[ap]m?$/;
const valueOrError = /^(?:true|false|verdadero|falso|#n\/a|#[a-z\d/]+[!?])$/;

const months = ['en', 'es'].flatMap((locale) =>
  (['long', 'short'] as const).flatMap((month) => {
    const { format } = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, index) => format(Date.UTC(2026, index)).toLowerCase());
  }),
);
const dateWithMonth = new RegExp(String.raw`^(?=.*\d)[\d\-/.,:' ]*(?:${months.join('|')})[\d\-/.,:' ]*(?:[ap]m?)?$`);

/** May match more than a spreadsheet converts in some locale or version. */
function isConverted(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  if (keptNumber.test(plain)) return plain !== text;
  return [amount, dateTimeOrFraction, hour, valueOrError, dateWithMonth].some((each) => each.test(plain));
}

type Day = Statement['days'][number];
type Payout = Statement['payouts'][number];

export const amounts: readonly (readonly [name: string, cents: (each: Day | Payout) => number])[] = [
  ['Gross', ({ grossCents }) => grossCents],
  ['Refunded', ({ refundedCents }) => refundedCents],
  ['Returned', ({ returnedCents }) => returnedCents],
  ['Other', ({ otherCents }) => otherCents],
  ['Fee', ({ feeCents }) => -feeCents],
];

const lineWords = {
  payment: 'Paid',
  processing: 'Paid',
  refund: 'Refunded',
  return: 'Returned',
  payout: 'Paid out',
  payout_reversal: 'Payout sent back',
  failure: 'Failed debit',
  other: 'Other',
} as const satisfies Record<PayoutLine['category'], string>;

/** What happened. If Stripe debited the practice's bank, the signs of a payout are reversed. */
export function wordsOf({ category, amountCents }: Pick<PayoutLine, 'category' | 'amountCents'>): string {
  if (category === 'payout' && amountCents > 0) return 'Taken from your bank';
  if (category === 'failure' && amountCents < 0) return 'Failed debit taken back';
  if (category === 'payout_reversal' && amountCents < 0) return 'Withdrawal sent back';
  return lineWords[category];
}

/** One row per line, with a header row. Amounts are in dollars, days in the practice's time zone. */
export function lineRows(lines: readonly PayoutLine[], timeZone: string): Cell[][] {
  return rowsOf(lines, [
    ['Date', ({ at }) => ({ value: dayOf(Date.parse(at), timeZone) })],
    ['What happened', wordsOf],
    ['Invoice', ({ invoiceId }) => invoiceId],
    ['Receipt number', ({ receiptNumber }) => receiptNumber],
    ['Amount', ({ amountCents }) => dollars(amountCents)],
    ['Fee', ({ feeCents }) => dollars(-feeCents)],
    ['Net', ({ netCents }) => dollars(netCents)],
    ['Payout', ({ payoutId }) => payoutId],
    ['Session', ({ sessionId }) => sessionId],
    ['ID', ({ bookingId }) => bookingId],
    ['Service fee', ({ applicationFeeCents = 0 }) => dollars(-applicationFeeCents)],
  ]);
}

/** One row per payout, with a header row. Leaves out a payout's parts until the processor lists them. */
export function payoutRows(payouts: readonly Payout[]): Cell[][] {
  const isListed = ({ addsUp }: Payout) => addsUp !== undefined;
  return rowsOf(payouts, [
    ['Made', ({ day }) => ({ value: day })],
    ['Status', ({ status }) => status],
    ['Arrives', ({ arrivesOn }) => ({ value: arrivesOn })],
    ...amounts.map(([name, cents]) => [name, (each: Payout) => (isListed(each) ? dollars(cents(each)) : '')] as const),
    ['Amount', ({ amountCents }) => dollars(amountCents)],
    ['Payout', ({ payoutId }) => payoutId],
    ['Failed payouts', ({ failedPayoutIds }) => failedPayoutIds.join(' ')],
    ['Next payout', ({ nextPayoutId }) => nextPayoutId],
    ['Service fee', (each) => (isListed(each) ? dollars(-each.applicationFeeCents) : '')],
  ]);
}
