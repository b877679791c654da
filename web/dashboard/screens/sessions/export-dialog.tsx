import { useEffect, useRef, useState } from 'preact/hooks';
import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call, type Answer, type QueryValues } from '../../api.ts';
import { csvOf, saveFile, sessionRows } from '../../csv.ts';
import { addDays, createdBetween, dayOf, isDay } from '../../days.ts';
import { formatCount } from '../../format.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, FormFrame } from '../../parts/dialog.tsx';
import { DayField } from '../../parts/field.tsx';
import { Progress } from '../../parts/loaded.tsx';
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

/** Reads page after page in the browser and builds the file. */
export function ExportDialog({ from, to, close }: ExportDialogProps) {
  const { practiceId, timeZone, role } = usePractice();
  const [read, setRead] = useState<Read>();
  const aborted = useRef(new AbortController());
  useEffect(() => () => aborted.current.abort(), []);
  const today = dayOf(Date.now(), timeZone);

  async function readAll(range: { from: string; to: string }): Promise<Answer<readonly MemberSession[]>> {
    const { createdSince, createdBefore } = createdBetween(range, timeZone);
    const [start, end] = [Date.parse(createdSince ?? ''), Date.parse(createdBefore ?? '')];
    const sessions: MemberSession[] = [];
    const { signal } = aborted.current;
    let cursor: string | null | undefined;
    do {
      setRead({ count: sessions.length, share: (end - Date.parse(sessions.at(-1)?.createdAt ?? '')) / (end - start) });
      const query: QueryValues = { createdSince, createdBefore, limit: '100', cursor };
      const answer = await call('listSessions', { params: { practiceId }, query, signal });
      if (!answer.ok) return answer;
      sessions.push(...answer.value.data);
      cursor = answer.value.nextCursor;
    } while (cursor !== null);
    return { ok: true, value: sessions };
  }

  const form = useForm({
    name: 'export',
    initial: { from: from || addDays(today, -29), to: to || today },
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
      setRead(undefined);
      return answer.ok ? { ok: true, value: { sessions: answer.value, ...values } } : answer;
    },
    sent({ sessions, ...days }) {
      if (aborted.current.signal.aborted) return;
      const rows = sessionRows(sessions, { timeZone, names: allows(role, 'staff') });
      saveFile(csvOf(rows), `sessions ${days.from} to ${days.to}.csv`);
      announce(`${formatCount(sessions.length, 'session')} exported.`);
      close();
    },
  });

  return (
    <Dialog title="Export sessions as CSV" close={close}>
      <FormFrame form={form}>
        <p>All sessions created on these days, in any status. Days and times are in {timeZone.replaceAll('_', ' ')}.</p>
        <p>
          Text that a spreadsheet would change begins with an apostrophe.{' '}
          <a href="/docs/csv" target="_blank" rel="noreferrer">
            More about the file
          </a>
        </p>
        <div class="day-range">
          <DayField field={form.field('from')} label="From" />
          <DayField field={form.field('to')} label="To" />
        </div>
        {read && (
          <Progress
            label={read.count === 0 ? 'Reading sessions…' : `${formatCount(read.count, 'session')} read…`}
            {...(Number.isFinite(read.share) && { value: read.share })}
          />
        )}
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
