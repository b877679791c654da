import { useRoute } from 'preact-iso/router';
import type { OpenedPayout } from '../../../../functions/contract/payments/dashboard-payouts.ts';
import { csvOf, lineRows, lineWords, saveFile } from '../../csv.ts';
import { dayOf } from '../../days.ts';
import { formatDay, formatDollars } from '../../format.ts';
import { Button, PrintButton } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty, Panel, Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { usePractice } from '../../practice.ts';
import { useAnswer } from '../../use-answer.ts';
import { formatUnlessZero, PayoutStatus } from './payout-list.tsx';

/** Which invoices a deposit in the bank is for. */
export function Payout() {
  const { practiceId, timeZone } = usePractice();
  const { payoutId = '' } = useRoute().params;
  const answer = useAnswer('getPayout', { params: { practiceId, payoutId } });
  const opened = answer.value;
  return (
    <Screen
      title={opened ? `Payout of ${formatDollars(opened.payout.amountCents)}` : 'Payout'}
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
        { label: 'What happened', cell: ({ category }) => lineWords[category] },
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
