import type { MemberSession, SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call } from '../../api.ts';
import { amountError, centsOf, formatDollars } from '../../format.ts';
import { announce } from '../../parts/notice.tsx';
import { FormDialog, type DialogAbout } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { usePractice } from '../../practice.ts';
import { isPaid } from '../../session-words.ts';
import { useForm, useIdempotencyKey } from '../../use-form.ts';

/** In milliseconds, as the service allows. */
const refundPeriod = 180 * 86_400_000;

export function canBeRefunded(session: MemberSession): boolean {
  const { settledAt = '' } = session;
  return isPaid(session) && leftToRefund(session) > 0 && Date.now() <= Date.parse(settledAt) + refundPeriod;
}

/** In cents. */
function leftToRefund({ amountCents, refund }: MemberSession): number {
  return amountCents - (refund?.amountCents ?? 0);
}

export function RefundDialog({ of: { session, applicationFeeCents }, done, close }: DialogAbout<SessionDetail>) {
  const { practiceId, mode } = usePractice();
  const { sessionId, invoiceId } = session;
  const leftCents = leftToRefund(session);
  const refundIdOf = useIdempotencyKey();
  const form = useForm({
    name: 'refund',
    initial: { amount: (leftCents / 100).toFixed(2), reason: '' },
    check: ({ amount, reason }) => ({
      amount: amountError(amount, 1, leftCents),
      ...(reason.trim() === '' && { reason: 'Enter a reason' }),
    }),
    async send({ amount, reason }) {
      const refund = { amountCents: centsOf(amount) ?? 0, reason: reason.trim() };
      const answer = await call('refundSession', {
        params: { practiceId, sessionId },
        body: { refundId: refundIdOf(refund), ...refund },
      });
      // Somebody else may have refunded it in the meantime: show what is left now.
      if (!answer.ok) void done();
      return answer;
    },
    sent: ({ amountCents }) => {
      close();
      announce(`The refund of ${formatDollars(amountCents)} is on its way.`);
      void done();
    },
    fieldOf: (pointer) => (pointer === '/amountCents' ? 'amount' : undefined),
    fieldOfProblem: { refund_too_large: 'amount' },
  });
  return (
    <FormDialog title={`Refund invoice ${invoiceId}?`} form={form} action="Refund" close={close}>
      <TextField
        field={form.field('amount')}
        label="Amount"
        hint={`Up to ${formatDollars(leftCents)}.`}
        prefix="$"
        width="short"
        inputMode="decimal"
      />
      <TextField
        field={form.field('reason')}
        label="Reason"
        hint="Only your team sees it, here and in the audit log. Leave out health details."
        maxLength={200}
      />
      <ul>
        <li>The money goes back to the bank account that paid. It takes some business days, and cannot be undone.</li>
        <li>
          It can fail, for example because the account was closed. Then this page says so, and members who chose that
          get an email.
        </li>
        {mode === 'live' && applicationFeeCents !== undefined && (
          <li>
            You get the service fee of {formatDollars(applicationFeeCents)} back, too: all of it with a full refund, and
            a matching share with a smaller one.
          </li>
        )}
        <li>Once all of it has been paid back, the invoice can be paid again.</li>
      </ul>
    </FormDialog>
  );
}
