import { useEffect, useState } from 'preact/hooks';
import { formatDollars } from '../../format.ts';
import { SessionStatus, Time } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice } from '../../practice.ts';
import { canBePaid, isOver, isPaid } from '../../session-words.ts';
import { useAnswer } from '../../use-answer.ts';

/** Says before another link is made that the invoice has one that is open or paid, once the number is typed. */
export function InvoiceLinks({ invoiceId }: { readonly invoiceId: string }) {
  const [typed, setTyped] = useState(invoiceId);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(invoiceId), 400);
    return () => clearTimeout(timer);
  }, [invoiceId]);
  // Always there, or a screen reader would not notice what appears in it.
  return <div role="status">{typed !== '' && typed === invoiceId && <OpenOrPaid invoiceId={typed} />}</div>;
}

function OpenOrPaid({ invoiceId }: { readonly invoiceId: string }) {
  const { practiceId } = usePractice();
  const query = { invoiceId, limit: '20' };
  const { value } = useAnswer('listSessions', { params: { practiceId }, query, isHint: true });
  const links = value?.data.filter((session) => !isOver(session) || isPaid(session)) ?? [];
  if (links.length === 0) return null;
  return (
    <Notice
      kind="warning"
      title={links.some(isPaid) ? 'This invoice is paid already' : 'This invoice already has a payment link'}
    >
      <ul>
        {links.map((session) => (
          <li key={session.sessionId}>
            <a href={`/${practiceId}/sessions/${session.sessionId}`}>
              {formatDollars(session.amountCents)}, created <Time at={session.createdAt} />
            </a>{' '}
            <SessionStatus session={session} />
          </li>
        ))}
      </ul>
      <p>
        {links.every(canBePaid)
          ? 'Look at it first: there, you can remind the patient, or replace the link.'
          : 'Look at it first, so that nobody is asked to pay twice.'}{' '}
        You can still create another one.
      </p>
    </Notice>
  );
}
