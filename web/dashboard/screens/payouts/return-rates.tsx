import type { Statement } from '../../../../functions/contract/payments/dashboard-payouts.ts';
import { formatCount } from '../../format.ts';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { Tag } from '../../parts/tag.tsx';

type Rates = Statement['returnRates'];
type Rate = Rates['rates'][number];

const kinds = {
  unauthorized: 'Not authorized, according to the patient',
  administrative: 'Account closed or not found',
  overall: 'All returns',
} as const satisfies Record<Rate['kind'], string>;

const percent = (share: number) =>
  new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 }).format(share);

/** Compares the rates with the ceilings of Nacha, the association behind ACH. */
export function ReturnRates({ debits, rates }: Rates) {
  return (
    <Panel
      title="Returned debits"
      note={`Of your ${formatCount(debits, 'debit')} in the last 60 days, including debits that were refused at once. Banks watch these shares: above a ceiling, you may lose bank payments.`}
    >
      <Table
        caption="Returned debits"
        captionHidden
        columns={[
          { label: 'Reason', cell: ({ kind }) => kinds[kind] },
          { label: 'Returned', align: 'right', cell: ({ returns }) => returns },
          { label: 'Share', align: 'right', cell: ({ rate }) => percent(rate) },
          { label: 'Ceiling', align: 'right', cell: ({ ceiling }) => percent(ceiling) },
          { label: 'Status', cell: (rate) => <State {...rate} /> },
        ]}
        rows={rates}
        keyOf={({ kind }) => kind}
      />
    </Panel>
  );
}

function State({ rate, ceiling }: Rate) {
  if (rate > ceiling) return <Tag tone="bad">Too high</Tag>;
  return rate >= ceiling / 2 ? <Tag tone="warning">Half or more</Tag> : <Tag tone="good">Fine</Tag>;
}
