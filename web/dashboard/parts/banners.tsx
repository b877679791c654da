import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { usePractice, useSettings } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Button } from './button.tsx';
import { Time } from './facts.tsx';
import { Notice } from './notice.tsx';

/** Why patients cannot pay, or soon cannot. */
export function Standing() {
  const { closedAt, suspendedAt, debitsStoppedAt, depositDeadline } = useSettings().settings;
  const since = closedAt ?? suspendedAt;
  if (since === undefined && debitsStoppedAt !== undefined)
    return (
      <FromStripe title="Patients cannot pay right now">
        Since <Time at={debitsStoppedAt} />, Stripe takes no payments for this practice. Links that you make or have
        made say that patients cannot pay right now, until Stripe goes on.
      </FromStripe>
    );
  if (since === undefined)
    return depositDeadline ? (
      <FromStripe title="Stripe needs something">
        If it does not get it by <Time at={depositDeadline.at} />, patients cannot pay.
      </FromStripe>
    ) : null;
  return (
    <Notice
      banner
      kind="warning"
      title={closedAt === undefined ? 'New payments are suspended' : 'This practice is closed'}
    >
      <p>
        Since <Time at={since} />, no payment link can be created or paid
        {closedAt === undefined
          ? '. Payments that patients have authorized continue. To resume, ask whoever operates the payment service.'
          : ', and your software cannot make links. You have access while payments are processing; their outcomes appear here.'}
      </p>
    </Notice>
  );
}

function FromStripe({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { practiceId } = usePractice();
  return (
    <Notice banner kind="warning" title={title}>
      <p>
        {children} <a href={`/${practiceId}/settings/practice`}>See what Stripe needs</a>
      </p>
    </Notice>
  );
}

/** Shown until dismissed in this browser. A new alert shows it again. */
export function AlertBanner() {
  const { practiceId } = usePractice();
  const { value, reload } = useAnswer('getAlerts', { params: { practiceId } });
  const dismissed = `dismissed alerts ${practiceId}`;
  const [seen, setSeen] = useState(() => localStorage.getItem(dismissed)?.split(' ') ?? []);
  useEvery(60, true, reload);
  if (!value) return null;
  const { endpoints, returned, refundFailed } = value;
  const ids = [
    ...endpoints.map(({ endpointId, status }) => `${endpointId}:${status}`),
    ...returned.map(({ sessionId }) => sessionId),
    ...refundFailed.map(({ sessionId, refund }) => `${sessionId}:${refund?.failedCents}`),
  ];
  if (ids.every((id) => seen.includes(id))) return null;
  const disabled = endpoints.filter(({ status }) => status === 'disabled').length;
  const failing = endpoints.length - disabled;
  const words = [
    returned.length > 0 && formatCount(returned.length, 'payment was returned', 'payments were returned'),
    refundFailed.length > 0 && formatCount(refundFailed.length, 'refund failed', 'refunds failed'),
    failing > 0 && formatCount(failing, 'connection to your software fails', 'connections to your software fail'),
    disabled > 0 &&
      formatCount(
        disabled,
        'connection to your software was turned off',
        'connections to your software were turned off',
      ),
  ].filter((each) => each !== false);
  function dismiss() {
    localStorage.setItem(dismissed, ids.join(' '));
    setSeen(ids);
  }
  return (
    <Notice banner kind="warning">
      <div class="banner-row">
        <p>
          {`${words.join(', ')}. `}
          <a href={`/${practiceId}`}>See what to do</a>
        </p>
        <Button kind="plain" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </Notice>
  );
}
