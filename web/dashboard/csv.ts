import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { nameOf } from './patient-name.ts';
import { spreadsheetText } from './spreadsheet-text.ts';

/** Text stays as it is. A `value` is an amount or a time, which a spreadsheet should recognize. */
export type Cell = string | number | { readonly value: string };

const byteOrderMark = '\uFEFF';

/** RFC 4180, with the byte order mark by which Excel recognizes UTF-8. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return byteOrderMark + rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? spreadsheetText(cell) : cell.value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Column = [name: string, cell: (session: MemberSession) => Cell | undefined];

/**
 * The rows of a session export, with a header row. Times are in the practice's time zone, and at the end in UTC: in the
 * night when the clocks go back, local times occur twice.
 */
export function sessionRows(
  sessions: readonly MemberSession[],
  { timeZone, names }: { readonly timeZone: string; readonly names: boolean },
): Cell[][] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const local = (at: string | undefined) => at && { value: format.format(new Date(at)) };
  const utc = (at: string | undefined) => at && { value: at };
  const dollars = (cents: number | undefined) => (cents === undefined ? '' : { value: (cents / 100).toFixed(2) });
  const nameColumns: Column[] = [
    ['Patient first name', ({ patient }) => patient && nameOf(patient.firstName)],
    ['Patient last name', ({ patient }) => patient && nameOf(patient.lastName)],
  ];
  const columns: Column[] = [
    ['Invoice', ({ invoiceId }) => invoiceId],
    // As the receipt says, which there is once the patient has authorized.
    ['Receipt number', ({ processingAt, sessionId }) => processingAt && sessionId.slice(-10)],
    ...(names ? nameColumns : []),
    ['Amount (USD)', ({ amountCents }) => dollars(amountCents)],
    ['Status', ({ status }) => status],
    ['Blocked by', ({ blockedBy }) => blockedBy],
    [`Created (${timeZone})`, ({ createdAt }) => local(createdAt)],
    ['Opened', ({ openedAt }) => local(openedAt)],
    ['Authorized', ({ processingAt }) => local(processingAt)],
    ['Paid', ({ settledAt }) => local(settledAt)],
    ['Failed', ({ failedAt }) => local(failedAt)],
    ['Failure', ({ failure }) => failure?.code],
    ['Cancelled', ({ cancelledAt }) => local(cancelledAt)],
    ['Cancellation', ({ cancellation }) => cancellation?.reason],
    ['Returned', (session) => local(session.return?.returnedAt)],
    ['Return', (session) => session.return?.achReturnCode ?? session.return?.code],
    ['Refunded (USD)', ({ refund }) => dollars(refund?.amountCents)],
    ['Metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata))],
    ['Created (UTC)', ({ createdAt }) => utc(createdAt)],
    ['Opened (UTC)', ({ openedAt }) => utc(openedAt)],
    ['Authorized (UTC)', ({ processingAt }) => utc(processingAt)],
    ['Paid (UTC)', ({ settledAt }) => utc(settledAt)],
    ['Failed (UTC)', ({ failedAt }) => utc(failedAt)],
    ['Cancelled (UTC)', ({ cancelledAt }) => utc(cancelledAt)],
    ['Returned (UTC)', (session) => utc(session.return?.returnedAt)],
    ['Session', ({ sessionId }) => sessionId],
  ];
  return [columns.map(([name]) => name), ...sessions.map((session) => columns.map(([, cell]) => cell(session) ?? ''))];
}

/** Saves a file as the browser's own downloads do. */
export function saveFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
