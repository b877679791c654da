import type { Home } from '../../../../functions/contract/team/dashboard-home.ts';
import { formatCount, formatDay, formatDollars, formatWholeDollars } from '../../format.ts';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { ZoneNote } from '../../parts/facts.tsx';

type Day = Home['days'][number];

const height = 150;

export function PaymentsOfMonth({ home: { days, complete } }: { readonly home: Home }) {
  const paid = sumOf(days.map((day) => day.paid));
  const onItsWay = sumOf(days.map((day) => day.onItsWay));
  return (
    <Panel title="Last 30 days">
      {!complete && (
        <Notice kind="info">
          <p>
            There are too many payments to add up here. The numbers below are too low; use the export under Payments.
          </p>
        </Notice>
      )}
      <div class="totals">
        <Sum name="Paid" tone="paid" {...paid} />
        <Sum name="On its way" tone="on-its-way" {...onItsWay} />
      </div>
      <Chart days={days} paid={paid.cents} onItsWay={onItsWay.cents} />
      <details>
        <summary>Show the numbers as a table</summary>
        <Table
          caption="Payments per day"
          captionShown
          note={<ZoneNote />}
          columns={[
            { label: 'Day', cell: ({ day }) => formatDay(day) },
            { label: 'Paid', align: 'right', cell: ({ paid: { cents } }) => formatDollars(cents) },
            { label: 'Payments', align: 'right', cell: ({ paid: { count } }) => count },
            { label: 'On its way', align: 'right', cell: ({ onItsWay: { cents } }) => formatDollars(cents) },
          ]}
          rows={[...days].reverse()}
          keyOf={({ day }) => day}
        />
      </details>
    </Panel>
  );
}

interface Total {
  readonly count: number;
  readonly cents: number;
}

function sumOf(totals: readonly Total[]): Total {
  return totals.reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), {
    count: 0,
    cents: 0,
  });
}

interface SumProps extends Total {
  readonly name: string;
  readonly tone: 'paid' | 'on-its-way';
}

function Sum({ name, tone, count, cents }: SumProps) {
  return (
    <p class={`total ${tone}`}>
      <span class="total-name">{name}</span>
      <strong>{formatDollars(cents)}</strong>
      <span class="quiet">{formatCount(count, 'payment')}</span>
    </p>
  );
}

interface ChartProps {
  readonly days: readonly Day[];
  readonly paid: number;
  readonly onItsWay: number;
}

/** The table below says the same to screen readers. */
function Chart({ days, paid, onItsWay }: ChartProps) {
  const most = roundUp(Math.max(...days.map((day) => day.paid.cents + day.onItsWay.cents), 200));
  const slot = 100 / Math.max(days.length, 1);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure class="chart">
      <p class="chart-scale quiet" aria-hidden="true">
        <span>{formatWholeDollars(most)}</span>
        <span>{formatWholeDollars(most / 2)}</span>
      </p>
      <svg
        width="100%"
        height={height}
        role="img"
        aria-label={`Payments per day: ${formatDollars(paid)} paid, ${formatDollars(onItsWay)} on its way.`}
      >
        {[0, 0.5].map((line) => (
          <line key={line} x1="0" x2="100%" y1={line * height + 0.5} y2={line * height + 0.5} />
        ))}
        {days.map(({ day, ...totals }, index) => {
          const paidHeight = (totals.paid.cents / most) * height;
          const waitingHeight = (totals.onItsWay.cents / most) * height;
          const place = { x: `${index * slot + slot * 0.15}%`, width: `${slot * 0.7}%`, rx: 2 };
          return (
            <g key={day}>
              <title>
                {`${formatDay(day, { weekday: true })}: ${formatDollars(totals.paid.cents)} paid, ${formatDollars(totals.onItsWay.cents)} on its way`}
              </title>
              <rect class="reach" x={`${index * slot}%`} width={`${slot}%`} y="0" height={height} />
              <rect class="paid" {...place} y={height - paidHeight} height={paidHeight} />
              <rect class="on-its-way" {...place} y={height - paidHeight - waitingHeight} height={waitingHeight} />
            </g>
          );
        })}
        <line class="base" x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} />
      </svg>
      <p class="chart-days quiet" aria-hidden="true">
        <span>{first && formatDay(first.day, { weekday: true })}</span>
        <span>{last && formatDay(last.day, { weekday: true })}</span>
      </p>
    </figure>
  );
}

/** Rounds up to 1, 2, 4, 6, 8 or 10 times a power of ten, so that half of it is round too. */
function roundUp(cents: number): number {
  const size = 10 ** Math.floor(Math.log10(cents));
  return ([1, 2, 4, 6, 8].find((steps) => steps * size >= cents) ?? 10) * size;
}
