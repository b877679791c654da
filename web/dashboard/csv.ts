import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { nameOf } from './patient-name.ts';

const byteOrderMark = '\uFEFF';

/** RFC 4180, with the byte order mark by which Excel recognizes UTF-8. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Escapes text that a spreadsheet would take for a formula. */
function cell(text: string | number): string {
  if (typeof text === 'number') return String(text);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

type Cell = (session: MemberSession) => string | undefined;

/** The rows of a session export, with a header row. Times are in the practice's time zone. */
export function sessionRows(
  sessions: readonly MemberSession[],
  { timeZone, names }: { readonly timeZone: string; readonly names: boolean },
): string[][] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const time = (at: string | undefined) => (at === undefined ? undefined : format.format(new Date(at)));
  const nameColumns: [string, Cell][] = [
    ['Patient first name', ({ patient }) => patient && nameOf(patient.firstName)],
    ['Patient last name', ({ patient }) => patient && nameOf(patient.lastName)],
  ];
  const columns: [string, Cell][] = [
    ['Session', ({ sessionId }) => sessionId],
    ['Invoice', ({ invoiceId }) => invoiceId],
    ...(names ? nameColumns : []),
    ['Amount (USD)', ({ amountCents }) => (amountCents / 100).toFixed(2)],
    ['Status', ({ status }) => status],
    ['Blocked by', ({ blockedBy }) => blockedBy],
    [`Created (${timeZone})`, ({ createdAt }) => time(createdAt)],
    ['Opened', ({ openedAt }) => time(openedAt)],
    ['Authorized', ({ processingAt }) => time(processingAt)],
    ['Paid', ({ settledAt }) => time(settledAt)],
    ['Failed', ({ failedAt }) => time(failedAt)],
    ['Failure', ({ failure }) => failure?.code],
    ['Cancelled', ({ cancelledAt }) => time(cancelledAt)],
    ['Cancellation', ({ cancellation }) => cancellation?.reason],
    ['Returned', (session) => time(session.return?.returnedAt)],
    ['Return', (session) => session.return?.achReturnCode ?? session.return?.code],
    ['Refunded (USD)', ({ refund }) => refund && (refund.amountCents / 100).toFixed(2)],
    ['Metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? undefined : JSON.stringify(metadata))],
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
