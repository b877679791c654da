import { useRoute } from 'preact-iso/router';
import type { Statement, OpenedPayout } from '../../../functions/contract/payments/dashboard-payouts.ts';
import { call, type Response } from '../api.ts';
import { csvOf, lineRows, payoutRows, saveFile, wordsOf } from '../csv.ts';
import { dayOf, timeZoneName } from '../days.ts';
import { formatDay, formatDollars } from '../format.ts';
import { Button, PrintButton } from '../parts/button.tsx';
import { Time } from '../parts/facts.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { Empty, Panel, Screen, Loaded } from '../parts/screen.tsx';
import { Table } from '../parts/table.tsx';
import { usePractice } from '../practice.ts';
import { useAction, useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { amountColumns, formatUnlessZero, isWithdrawal, PayoutList, PayoutStatus } from './payouts/payout-list.tsx';
import { ReturnRates } from './payouts/return-rates.tsx';

type Day = Statement['days'][number];

export function Payouts() {
  const { practiceId, timeZone } = usePractice();
  const { query, setQuery } = useQuery();
  const thisMonth = dayOf(Date.now(), timeZone).slice(0, 7);
  const asked = query.get('month') ?? '';
  const month = /^20\d\d-(0[1-9]|1[0-2])$/.test(asked) ? asked : thisMonth;
  const answer = useAnswer('getStatement', { params: { practiceId }, query: { month } });
  const statement = answer.value;
  const { busy, problem, run } = useAction('listStatementLines', 'Export CSV');
  const readLines = () => call('listStatementLines', { params: { practiceId }, query: { month } });
  const save = ({ lines }: Response<'listStatementLines'>) =>
    saveFile(csvOf(lineRows(lines, timeZone)), `statement ${month}.csv`);
  const show = (away: number) => setQuery({ month: monthAfter(month, away) });
  return (
    <Screen
      title="Payouts"
      lead="What patients paid, what it cost and when it reached your bank. It is updated once a day."
      actions={
        <>
          <Button onClick={() => show(-1)}>Previous month</Button>
          {month < thisMonth && <Button onClick={() => show(1)}>Next month</Button>}
          <PrintButton />
          {statement && statement.days.length > 0 && (
            <Button busy={busy} onClick={() => void run(readLines, save)}>
              Export CSV
            </Button>
          )}
        </>
      }
    >
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={answer}>
        {({ days, payouts, returnRates, balance }) => (
          <>
            {balance && <Owed {...balance} />}
            <Panel title={monthName(month)}>
              <Days days={days} />
            </Panel>
            <Panel
              title="Payouts to your bank"
              actions={
                payouts.length > 0 && (
                  <Button onClick={() => saveFile(csvOf(payoutRows(payouts)), `payouts ${month}.csv`)}>
                    Export payouts
                  </Button>
                )
              }
            >
              <PayoutList payouts={payouts} />
            </Panel>
            <ReturnRates {...returnRates} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Shown in a sandbox. */
export function NoPayouts() {
  return (
    <Screen title="Payouts">
      <Empty title="A sandbox has no payouts">
        <p>No money moves in it. In production, this page shows what reached your bank, and when.</p>
      </Empty>
    </Screen>
  );
}

/** Shown with any month, because it is about now. */
function Owed({ availableCents, at }: NonNullable<Statement['balance']>) {
  if (availableCents >= 0) return null;
  return (
    <Notice kind="warning" title={`You owe Stripe ${formatDollars(-availableCents)}`}>
      <p>
        More was taken back than your balance held: payments that were returned or refunded after they had been paid out
        to you, and their fees. Your next payments pay it off first. Until it is paid off, there are no payouts, and
        refunds can stay pending. Stripe may also take it from your bank account. As of <Time at={at} />.
      </p>
    </Notice>
  );
}

function Days({ days }: { readonly days: readonly Day[] }) {
  const { timeZone } = usePractice();
  if (days.length === 0)
    return (
      <Empty title="Nothing this month">
        <p>A payment shows up here the day after the bank paid it.</p>
      </Empty>
    );
  return (
    <Table
      caption="Per day"
      note={`Days are in ${timeZoneName(timeZone)}. In transit: earned, but not in your bank yet. Processing: authorized, but not paid yet, and in no other column.${serviceFeeNote(days)}`}
      columns={[
        { label: 'Day', cell: ({ day }) => (day === '' ? 'Month' : formatDay(day)) },
        ...amountColumns,
        { label: 'Net', align: 'right', cell: ({ netCents }) => <strong>{formatDollars(netCents)}</strong> },
        { label: 'Processing', align: 'right', cell: ({ processingCents }) => formatUnlessZero(processingCents) },
        { label: 'In transit', align: 'right', cell: ({ inTransitCents }) => formatUnlessZero(inTransitCents) },
      ]}
      rows={[...days].reverse()}
      total={totalOf(days)}
      keyOf={({ day }) => day}
    />
  );
}

/** Shown only where the operator takes a fee. */
function serviceFeeNote(days: readonly Day[]): string {
  const { applicationFeeCents } = totalOf(days);
  return applicationFeeCents === 0
    ? ''
    : ` Fee includes ${formatDollars(applicationFeeCents)} for whoever runs this payment service; the rest is Stripe’s.`;
}

function totalOf(days: readonly Day[]): Day {
  const sum = (valueOf: (day: Day) => number) => days.reduce((total, each) => total + valueOf(each), 0);
  return {
    day: '',
    grossCents: sum(({ grossCents }) => grossCents),
    refundedCents: sum(({ refundedCents }) => refundedCents),
    returnedCents: sum(({ returnedCents }) => returnedCents),
    otherCents: sum(({ otherCents }) => otherCents),
    feeCents: sum(({ feeCents }) => feeCents),
    applicationFeeCents: sum(({ applicationFeeCents }) => applicationFeeCents),
    netCents: sum(({ netCents }) => netCents),
    processingCents: sum(({ processingCents }) => processingCents),
    inTransitCents: sum(({ inTransitCents }) => inTransitCents),
    payoutIds: [],
    failedPayoutIds: [],
  };
}

function monthAfter(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

function monthName(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  );
}

function titleOf(payout: OpenedPayout['payout']): string {
  const { amountCents } = payout;
  return isWithdrawal(payout)
    ? `${formatDollars(-amountCents)} taken from your bank`
    : `Payout of ${formatDollars(amountCents)}`;
}

/** Which invoices a deposit in the bank is for. */
export function Payout() {
  const { practiceId, timeZone } = usePractice();
  const { payoutId = '' } = useRoute().params;
  const answer = useAnswer('getPayout', { params: { practiceId, payoutId } });
  const opened = answer.value;
  return (
    <Screen
      title={opened ? titleOf(opened.payout) : 'Payout'}
      back={{ href: `/${practiceId}/payouts`, label: 'Payouts' }}
      actions={
        opened && (
          <>
            <PrintButton />
            <Button
              onClick={() => saveFile(csvOf(lineRows(opened.lines, timeZone)), `payout ${opened.payout.day}.csv`)}
            >
              Export CSV
            </Button>
          </>
        )
      }
    >
      <Loaded of={answer}>
        {({ payout, lines }) => (
          <>
            <PayoutStatus {...payout} />
            <Panel title="What it is made of">
              <Lines lines={lines} />
            </Panel>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Lines({ lines }: Pick<OpenedPayout, 'lines'>) {
  const { practiceId, timeZone } = usePractice();
  if (lines.length === 0)
    return (
      <Empty title="Not listed yet">
        <p>Stripe lists what a payout is made of when it is on its way.</p>
      </Empty>
    );
  return (
    <Table
      caption="What it is made of"
      columns={[
        {
          label: 'Date',
          cell: ({ at }) => <span class="unbroken">{formatDay(dayOf(Date.parse(at), timeZone))}</span>,
        },
        { label: 'What happened', cell: wordsOf },
        {
          label: 'Invoice',
          cell: ({ sessionId, invoiceId }) =>
            sessionId !== undefined && <a href={`/${practiceId}/sessions/${sessionId}`}>{invoiceId}</a>,
        },
        { label: 'Receipt number', cell: ({ receiptNumber }) => receiptNumber },
        { label: 'Amount', align: 'right', cell: ({ amountCents }) => formatDollars(amountCents) },
        { label: 'Fee', align: 'right', cell: ({ feeCents }) => formatUnlessZero(-feeCents) },
        { label: 'Net', align: 'right', cell: ({ netCents }) => <strong>{formatDollars(netCents)}</strong> },
      ]}
      rows={lines}
      keyOf={({ bookingId }) => bookingId}
    />
  );
}
