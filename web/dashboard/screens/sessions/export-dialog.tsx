import { useEffect, useRef, useState } from 'preact/hooks';
import { csvOf, saveFile, sessionRows } from '../../csv.ts';
import { addDays, dayOf, isDay, monthOf, timeZoneName } from '../../days.ts';
import { formatCount } from '../../format.ts';
import { announce, NotYet } from '../../parts/notice.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, FormFrame } from '../../parts/dialog.tsx';
import { DayField, SelectField } from '../../parts/field.tsx';
import { Progress } from '../../parts/screen.tsx';
import { allows, usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { readPayments, readPayoutIds, type ReadSoFar } from './export.ts';

interface ExportDialogProps {
  readonly from: string;
  readonly to: string;
  readonly close: () => void;
}

export function ExportDialog({ from, to, close }: ExportDialogProps) {
  const { practiceId, timeZone, role, mode } = usePractice();
  const [read, setRead] = useState<ReadSoFar>();
  const aborted = useRef(new AbortController());
  useEffect(() => () => aborted.current.abort(), []);
  const today = dayOf(Date.now(), timeZone);

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
      const reading = { practiceId, timeZone, signal: aborted.current.signal };
      const payments = await readPayments(values, reading, setRead);
      // A sandbox makes no payouts.
      const paid = payments.ok && mode === 'live' ? payments.value : [];
      const payoutIds = await readPayoutIds(paid, reading);
      setRead(undefined);
      if (!payments.ok) return payments;
      if (!payoutIds.ok) return payoutIds;
      return { ok: true, value: { payments: payments.value, payoutIds: payoutIds.value, ...values } };
    },
    sent({ payments, payoutIds, ...days }) {
      if (aborted.current.signal.aborted) return;
      const rows = sessionRows(payments, { timeZone, names: allows(role, 'staff'), payoutIds });
      saveFile(csvOf(rows), `payments ${days.by} ${days.from} to ${days.to}.csv`);
      announce(`${formatCount(payments.length, 'payment')} exported.`);
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
            {...(read.share > 0 && { value: read.share })}
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
