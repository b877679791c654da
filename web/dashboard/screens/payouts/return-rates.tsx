import type { Statement } from '../../../../functions/contract/payments/dashboard-payouts.ts';
import { formatCount } from '../../format.ts';
import { Tag } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';

type Rates = Statement['returnRates'];
type Rate = Rates['rates'][number];

const kinds = {
  unauthorized: 'Not authorized, according to the patient',
  administrative: 'Account closed or not found',
  overall: 'All returns',
} as const satisfies Record<Rate['kind'], string>;

const remedies = {
  unauthorized:
    'Not authorized: call the patient before you ask for the money again. Most did not recognize the name on their bank statement: see that Settings, Practice has the name that patients know you by, and tell them before they pay.',
  administrative: 'Account closed or not found: ask the patient to choose another account, and send a new link.',
  overall:
    'All returns: mostly, the money was not there. Agree with the patient on a day or on smaller amounts before you send the next link.',
} as const satisfies Record<Rate['kind'], string>;

const percent = (share: number) =>
  new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 }).format(share);

/** Compares the rates with the ceilings of Nacha, the association behind ACH. */
export function ReturnRates({ debits, rates }: Rates) {
  const returned = rates.filter(({ returns }) => returns > 0);
  return (
    <Panel
      title="Returned debits"
      note={`Of your ${formatCount(debits, 'debit')} in the last 60 days, including debits that were refused at once. Banks watch these shares: above a ceiling, you may lose bank payments.`}
    >
      <Table
        caption="Returned debits"
        columns={[
          { label: 'Reason', cell: ({ kind }) => kinds[kind] },
          { label: 'Returned', align: 'right', cell: ({ returns }) => returns },
          { label: 'Share', align: 'right', cell: ({ rate }) => percent(rate) },
          { label: 'Ceiling', align: 'right', cell: ({ ceiling }) => percent(ceiling) },
          { label: 'Status', cell: (rate) => <State {...rate} debits={debits} /> },
        ]}
        rows={rates}
        keyOf={({ kind }) => kind}
      />
      {rates.some((rate) => saysLittle(rate, debits)) && (
        <p>
          The ceilings are for practices with many debits. Of {formatCount(debits, 'debit')}, a single one that was
          returned is {percent(1 / debits)}. That alone says nothing about how you bill; a second one of the same kind
          would.
        </p>
      )}
      {returned.length > 0 && (
        <>
          <p>What to do:</p>
          <ul>
            {returned.map(({ kind }) => (
              <li key={kind}>{remedies[kind]}</li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** Whether it is above the ceiling only because there are so few debits that a single return is. */
function saysLittle({ returns, ceiling }: Rate, debits: number): boolean {
  return returns === 1 && 1 / debits > ceiling;
}

function State({ debits, ...rate }: Rate & { readonly debits: number }) {
  if (saysLittle(rate, debits)) return <Tag tone="warning">Too few to tell</Tag>;
  if (rate.rate > rate.ceiling) return <Tag tone="bad">Too high</Tag>;
  return rate.rate >= rate.ceiling / 2 ? <Tag tone="warning">Half or more</Tag> : <Tag tone="good">Fine</Tag>;
}
