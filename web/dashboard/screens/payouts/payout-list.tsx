import { Fragment } from 'preact';
import type { Statement } from '../../../../functions/contract/payments/dashboard-payouts.ts';
import { formatDay, formatDollars } from '../../format.ts';
import { Notice } from '../../parts/notice.tsx';
import { Empty } from '../../parts/screen.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Tag } from '../../parts/facts.tsx';
import { usePractice } from '../../practice.ts';
import { amounts } from '../../csv.ts';

/** Empty for zero, so that other amounts stand out. */
export const formatUnlessZero = (cents: number) => (cents === 0 ? '' : formatDollars(cents));

export const amountColumns: readonly Column<Statement['days'][number] | Statement['payouts'][number]>[] = amounts.map(
  ([label, cents]) => ({ label, align: 'right', cell: (each) => formatUnlessZero(cents(each)) }),
);

type Payout = Statement['payouts'][number];

const statuses = {
  pending: { tone: 'waiting', words: 'Pending' },
  in_transit: { tone: 'waiting', words: 'In transit' },
  paid: { tone: 'good', words: 'Paid' },
  failed: { tone: 'bad', words: 'Failed' },
  canceled: { tone: 'quiet', words: 'Canceled' },
} as const satisfies Record<Payout['status'], object>;

export function PayoutList({ payouts }: { readonly payouts: readonly Payout[] }) {
  if (payouts.length === 0)
    return (
      <Empty title="No payouts this month">
        <p>A payout follows its payments by a few business days.</p>
      </Empty>
    );
  return (
    <>
      <LastFailure payouts={payouts} />
      <Table
        caption="Payouts to your bank"
        columns={[
          { label: 'Made', cell: ({ day }) => <span class="unbroken">{formatDay(day)}</span> },
          { label: 'Payout', cell: (payout) => <PayoutStatus {...payout} /> },
          ...amountColumns,
          { label: 'Amount', align: 'right', cell: ({ amountCents }) => <strong>{formatDollars(amountCents)}</strong> },
        ]}
        rows={[...payouts].reverse()}
        keyOf={({ payoutId }) => payoutId}
      />
    </>
  );
}

/** Shown until another payout has delivered its money. */
function LastFailure({ payouts }: { readonly payouts: readonly Payout[] }) {
  const { practiceId } = usePractice();
  const failure = payouts.findLast((payout) => payout.status === 'failed' && payout.nextPayoutId === undefined);
  if (!failure) return null;
  const { amountCents } = failure;
  const title = isWithdrawal(failure)
    ? `Stripe could not take ${formatDollars(-amountCents)} from your bank`
    : `A payout of ${formatDollars(amountCents)} failed`;
  return (
    <Notice kind="warning" title={title}>
      <p>
        {failureReason(failure)}{' '}
        {isWithdrawal(failure)
          ? 'Your next payments pay it off.'
          : 'The money is back at Stripe and comes with the next payout.'}{' '}
        Check your bank account in <a href={`/${practiceId}/settings/practice`}>the practice’s settings</a>.
      </p>
    </Notice>
  );
}

/** The balance was negative, and Stripe debited the practice's bank. */
export function isWithdrawal({ amountCents }: Pick<Payout, 'amountCents'>): boolean {
  return amountCents < 0;
}

export function PayoutStatus(payout: Payout) {
  const { practiceId } = usePractice();
  const { payoutId, status, arrivesOn, addsUp, failedPayoutIds } = payout;
  const { tone, words } = statuses[status];
  const isPaid = status === 'paid';
  return (
    <div>
      <Tag tone={tone}>{isPaid && isWithdrawal(payout) ? 'Taken' : words}</Tag>{' '}
      <a href={`/${practiceId}/payouts/${payoutId}`}>
        <code class="quiet">{payoutId}</code>
      </a>
      {isSentBack(payout) ? (
        <SentBack {...payout} />
      ) : (
        <p class="quiet">
          {isWithdrawal(payout) ? 'From your bank on' : isPaid ? 'In your bank on' : 'Expected on'}{' '}
          {formatDay(arrivesOn)}
        </p>
      )}
      {failedPayoutIds.length > 0 && (
        <p class="quiet">
          Other includes the money from{' '}
          {failedPayoutIds.map((failedId, index) => (
            <Fragment key={failedId}>
              {index > 0 && ' and '}
              <PayoutLink payoutId={failedId} />
            </Fragment>
          ))}
          , which failed.
        </p>
      )}
      {addsUp === false && <p class="quiet">Its parts do not add up to this amount.</p>}
    </div>
  );
}

function PayoutLink({ payoutId }: Pick<Payout, 'payoutId'>) {
  const { practiceId } = usePractice();
  return <a href={`/${practiceId}/payouts/${payoutId}`}>{payoutId}</a>;
}

function SentBack(payout: Payout) {
  const { status, nextPayoutId } = payout;
  const isOwed = isWithdrawal(payout);
  const waiting = isOwed ? 'You still owe it.' : 'Its money comes with the next payout.';
  return (
    <p class="quiet">
      {status === 'failed' && failureReason(payout)}{' '}
      {nextPayoutId === undefined ? (
        waiting
      ) : (
        <>
          {isOwed ? 'It' : 'Its money'} is part of <PayoutLink payoutId={nextPayoutId} />.
        </>
      )}
    </p>
  );
}

function isSentBack({ status }: Payout): boolean {
  return status === 'failed' || status === 'canceled';
}

const reasons: Readonly<Record<string, string>> = {
  account_closed: 'The bank account is closed.',
  account_frozen: 'The bank account is frozen.',
  bank_account_restricted: 'The bank account does not take deposits of this kind.',
  debit_not_authorized: 'The bank account does not take deposits of this kind.',
  declined: 'The bank declined it.',
  incorrect_account_holder_name: 'The name of the account holder is wrong.',
  invalid_account_number: 'The account number is invalid.',
  no_account: 'The bank has no such account.',
};

function failureReason({ failureCode = '' }: Pick<Payout, 'failureCode'>): string {
  return reasons[failureCode] ?? 'The bank sent it back.';
}
