import { useEffect, useState } from 'preact/hooks';
import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDollars } from '../../format.ts';
import { SessionStatus, Time } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice, useSettings } from '../../practice.ts';
import { canBePaid, isOver, isPaid } from '../../session-words.ts';
import { useAnswer } from '../../use-answer.ts';

/** Once the invoice number is typed, says if the invoice already has a link that is open or paid. */
export function InvoiceLinks({ invoiceId }: { readonly invoiceId: string }) {
  const [typed, setTyped] = useState(invoiceId);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(invoiceId), 400);
    return () => clearTimeout(timer);
  }, [invoiceId]);
  // Always rendered, or a screen reader would not notice what appears in it.
  return <div role="status">{typed !== '' && typed === invoiceId && <OpenOrPaid invoiceId={typed} />}</div>;
}

function OpenOrPaid({ invoiceId }: { readonly invoiceId: string }) {
  const { practiceId } = usePractice();
  const { settings } = useSettings();
  const query = { invoiceId, limit: '20' };
  const { value } = useAnswer('listSessions', { params: { practiceId }, query, isHint: true });
  const links = value?.data.filter((session) => !isOver(session) || isPaid(session)) ?? [];
  if (links.length === 0) return null;
  const { kind, title, advice } = adviceFor(links, settings.invoiceGuard);
  return (
    <Notice kind={kind} title={title}>
      <ul>
        {links.map((session) => (
          <li key={session.sessionId}>
            {/* Opens a new tab: in this one, what was typed would be lost. */}
            <a href={`/${practiceId}/sessions/${session.sessionId}`} target="_blank" rel="noreferrer">
              {formatDollars(session.amountCents)}, created <Time at={session.createdAt} /> (opens in a new tab)
            </a>{' '}
            <SessionStatus session={session} />
          </li>
        ))}
      </ul>
      <p>{advice}</p>
    </Notice>
  );
}

function adviceFor(links: readonly MemberSession[], invoiceGuard: boolean) {
  if (!invoiceGuard)
    return {
      kind: 'info',
      title: 'This invoice has other payment links',
      advice: 'Your practice lets patients pay an invoice more than once, so each of these links can be paid.',
    } as const;
  if (links.every(canBePaid))
    return {
      kind: 'warning',
      title: 'This invoice already has a payment link',
      advice:
        'There, you can remind the patient or replace the link. You can still create another one: only one of them can be paid.',
    } as const;
  return {
    kind: 'warning',
    title: links.some(isPaid) ? 'This invoice is paid already' : 'A payment of this invoice is in progress',
    advice: 'You can still create another link, but it can be paid only if this payment fails or the money goes back.',
  } as const;
}
