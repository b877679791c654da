import type { ComponentChildren } from 'preact';
import type { SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDollars } from '../../format.ts';
import { Time } from '../../parts/facts.tsx';
import { givenBack, reasonWords } from '../../session-words.ts';

interface Step {
  /** Absent for a step that may still come. */
  readonly at?: string | undefined;
  /** Only orders the step: when it happened is not known. */
  readonly isBefore?: boolean;
  readonly words: string;
  readonly more?: ComponentChildren;
  readonly tone?: 'good' | 'bad';
}

export function Timeline({ detail }: { readonly detail: SessionDetail }) {
  return (
    <ol class="timeline">
      {[...past(detail), ...future(detail)].map(({ at, isBefore = false, words, more, tone }) => (
        <li key={words} class={tone ?? (at === undefined ? 'future' : undefined)}>
          <p>{words}</p>
          <p class="quiet">
            {more}
            {more !== undefined && at !== undefined && !isBefore && ', '}
            {at !== undefined && !isBefore && <Time at={at} as="exact" />}
          </p>
        </li>
      ))}
    </ol>
  );
}

function past({
  session,
  linkReplacedAt,
  extensions,
  extendedAt,
  bankConnectedAt,
  bankAccount,
  cancelRequestedAt,
}: SessionDetail): Step[] {
  const expired = session.cancellation?.reason === 'expired';
  const steps: Step[] = [
    { at: session.createdAt, words: 'Payment link created' },
    { at: linkReplacedAt, words: 'A new link replaced the old one' },
    { at: session.openedAt, words: 'Patient started on the payment page' },
    {
      at: extendedAt,
      words: extensions === 1 ? 'Patient asked for more time' : `Patient asked for more time (${extensions} times)`,
    },
    {
      at: bankConnectedAt,
      words: 'Patient connected a bank',
      more: bankAccount && `${bankAccount.bankName} •••• ${bankAccount.last4}`,
    },
    { at: session.processingAt, words: 'Patient authorized the debit' },
    { at: cancelRequestedAt, words: 'Cancellation requested' },
    { at: session.settledAt, words: 'Paid', tone: 'good' },
    {
      at: session.failedAt,
      words: 'The bank did not pay',
      more: session.failure && reasonWords[session.failure.code],
      tone: 'bad',
    },
    { at: session.cancelledAt, words: expired ? 'The link expired unpaid' : 'Cancelled by the practice' },
    {
      at: session.return?.returnedAt,
      words: 'The bank took the money back',
      more: session.return && reasonWords[session.return.code],
      tone: 'bad',
    },
    ...refundsOf(session),
  ];
  return steps
    .filter(({ at }) => at !== undefined)
    .sort(({ at: one = '' }, { at: other = '' }) => (one < other ? -1 : one > other ? 1 : 0));
}

/** A session keeps the totals of its refunds and when they last changed, which is the time of the newest refund. */
function refundsOf(session: SessionDetail['session']): Step[] {
  const { amountCents, refund } = session;
  if (!refund) return [];
  const { pendingCents = 0, failedCents = 0, status, refundedAt: at } = refund;
  const given = givenBack(session);
  const steps = [
    {
      of: 'failed',
      cents: failedCents,
      at,
      words: 'A refund failed',
      more: `${formatDollars(failedCents)} did not reach the patient`,
      tone: 'bad',
    },
    {
      of: 'succeeded',
      cents: given,
      at,
      words: given < amountCents ? 'Refunded in part' : 'Refunded',
      more: formatDollars(given),
    },
    { of: 'pending', cents: pendingCents, at, words: 'A refund is on its way', more: formatDollars(pendingCents) },
  ] as const;
  const shown = steps.filter(({ cents }) => cents > 0);
  const isBefore = ({ of }: (typeof steps)[number]) => shown.length > 1 && status !== undefined && of !== status;
  return shown
    .map((step) => ({ ...step, isBefore: isBefore(step) }))
    .sort((one, other) => Number(other.isBefore) - Number(one.isBefore));
}

function future({ session, cancelRequestedAt }: SessionDetail): Step[] {
  switch (session.status) {
    case 'pending':
      return [
        {
          words: 'Waiting for the patient',
          more: (
            <>
              The link expires <Time at={session.expiresAt} as="distance" />
            </>
          ),
        },
      ];
    case 'processing':
      return [
        cancelRequestedAt === undefined
          ? { words: 'Waiting for the bank', more: 'This takes a few business days' }
          : { words: 'Waiting for the bank', more: 'We asked whether the debit can still be stopped' },
      ];
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return [];
  }
}
