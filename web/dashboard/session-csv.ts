import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { nameOf } from './patient-name.ts';

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
