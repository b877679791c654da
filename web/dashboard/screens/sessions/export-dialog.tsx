import { useEffect, useRef, useState } from 'preact/hooks';
import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call, type Answer, type QueryValues } from '../../api.ts';
import { csvOf, saveFile, sessionRows } from '../../csv.ts';
import { addDays, createdBetween, dayOf, isDay, monthOf, timeZoneName } from '../../days.ts';
import { formatCount } from '../../format.ts';
import { announce, NotYet } from '../../parts/notice.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, FormFrame } from '../../parts/dialog.tsx';
import { DayField, SelectField } from '../../parts/field.tsx';
import { Progress } from '../../parts/screen.tsx';
import { allows, usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';

interface ExportDialogProps {
  readonly from: string;
  readonly to: string;
  readonly close: () => void;
}

interface Read {
  readonly count: number;
  /** From 0 to 1: how far back the export has read. */
  readonly share: number;
}

/** A link can be that old when its payment is settled. */
const longestLife = 380;

export function ExportDialog({ from, to, close }: ExportDialogProps) {
  const { practiceId, timeZone, role, mode } = usePractice();
  const [read, setRead] = useState<Read>();
  const aborted = useRef(new AbortController());
  useEffect(() => () => aborted.current.abort(), []);
  const today = dayOf(Date.now(), timeZone);

  async function readAll(range: { by: string; from: string; to: string }): Promise<Answer<readonly MemberSession[]>> {
    const { by, from: firstDay, to: lastDay } = range;
    const { createdSince: paidSince = '', createdBefore } = createdBetween(range, timeZone);
    const paid = by === 'paid' && { status: 'succeeded' };
    const created = { from: paid ? addDays(firstDay, -longestLife) : firstDay, to: lastDay };
    const { createdSince } = createdBetween(created, timeZone);
    const [start, end] = [Date.parse(createdSince ?? ''), Date.parse(createdBefore ?? '')];
    const sessions: MemberSession[] = [];
    const { signal } = aborted.current;
    let cursor: string | null | undefined;
    let oldest: string | undefined;
    do {
      setRead({ count: sessions.length, share: (end - Date.parse(oldest ?? '')) / (end - start) });
      const query: QueryValues = { createdSince, createdBefore, limit: '100', cursor, ...paid };
      const answer = await call('listSessions', { params: { practiceId }, query, signal });
      if (!answer.ok) return answer;
      const wanted = ({ settledAt = '' }: MemberSession) => settledAt >= paidSince && settledAt < (createdBefore ?? '');
      sessions.push(...(paid ? answer.value.data.filter(wanted) : answer.value.data));
      oldest = answer.value.data.at(-1)?.createdAt ?? oldest;
      cursor = answer.value.nextCursor;
    } while (cursor !== null);
    return { ok: true, value: sessions };
  }

  const form = useForm({
    name: 'export',
    initial: { by: 'created', from: from || addDays(today, -29), to: to || today },
    check: (values) => ({
      from: isDay(values.from) ? undefined : 'Choose the first day',
      to: !isDay(values.to)
        ? 'Choose the last day'
        : values.to < values.from
          ? 'Choose the first day or a later one'
          : undefined,
    }),
    async send(values) {
      const answer = await readAll(values);
      // A sandbox pays nothing out.
      const paid = answer.ok && mode === 'live' ? answer.value : [];
      const payouts = await readPayoutIds(paid, { practiceId, timeZone, signal: aborted.current.signal });
      setRead(undefined);
      if (!answer.ok) return answer;
      return payouts.ok
        ? { ok: true, value: { sessions: answer.value, payoutIds: payouts.value, ...values } }
        : payouts;
    },
    sent({ sessions, payoutIds, ...days }) {
      if (aborted.current.signal.aborted) return;
      const rows = sessionRows(sessions, { timeZone, names: allows(role, 'staff'), payoutIds });
      saveFile(csvOf(rows), `payments ${days.by} ${days.from} to ${days.to}.csv`);
      announce(`${formatCount(sessions.length, 'payment')} exported.`);
      close();
    },
  });

  return (
    <Dialog title="Export payments for a spreadsheet" close={close}>
      <FormFrame form={form}>
        <p>Days and times are in {timeZoneName(timeZone)}.</p>
        <p>
          Text that a spreadsheet would change begins with an apostrophe.{' '}
          <a href="/docs/csv" target="_blank" rel="noreferrer">
            More about the file
          </a>
        </p>
        <SelectField
          field={form.field('by')}
          label="Payments"
          options={[
            { value: 'created', label: 'Links created on these days, in any status' },
            { value: 'paid', label: 'Paid on these days' },
          ]}
        />
        <div class="day-range">
          <DayField field={form.field('from')} label="From" />
          <DayField field={form.field('to')} label="To" />
        </div>
        <div class="actions">
          <Button onClick={() => form.set(monthOf(today, 'last'))}>Last month</Button>
          <Button onClick={() => form.set(monthOf(today, 'this'))}>This month</Button>
        </div>
        {read && (
          <Progress
            label={read.count === 0 ? 'Reading payments…' : `${formatCount(read.count, 'payment')} read…`}
            {...(Number.isFinite(read.share) && { value: read.share })}
          />
        )}
        {form.interrupted && <NotYet>Not exported yet. Press “Export”.</NotYet>}
        <div class="actions">
          <Button type="submit" kind="primary" busy={form.busy}>
            Export
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </FormFrame>
    </Dialog>
  );
}

interface Reading {
  readonly practiceId: string;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** The payout of each payment that has one, by session. Reads the statements of the months in which they were paid. */
async function readPayoutIds(
  sessions: readonly MemberSession[],
  { practiceId, timeZone, signal }: Reading,
): Promise<Answer<ReadonlyMap<string, string>>> {
  const payoutIds = new Map<string, string>();
  for (const month of new Set(sessions.flatMap((session) => monthsOf(session, timeZone)))) {
    const answer = await call('listStatementLines', { params: { practiceId }, query: { month }, signal });
    if (!answer.ok) return answer;
    for (const { category, sessionId, payoutId } of answer.value.lines)
      if (category === 'payment' && sessionId !== undefined && payoutId !== undefined)
        payoutIds.set(sessionId, payoutId);
  }
  return { ok: true, value: payoutIds };
}

/** The bank paid after the authorization. We can learn that later, and a destination charge is booked a little later still. */
function monthsOf({ processingAt, settledAt }: MemberSession, timeZone: string): string[] {
  if (processingAt === undefined || settledAt === undefined) return [];
  const authorized = dayOf(Date.parse(processingAt), timeZone);
  const settled = dayOf(Date.parse(settledAt), timeZone);
  return [authorized, addDays(settled, 1)].map((day) => day.slice(0, 7));
}
