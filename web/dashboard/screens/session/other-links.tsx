import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { SessionStatus, Time } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';
import { useAnswer } from '../../use-answer.ts';

/** The other sessions of the invoice. Renders nothing if there are none. */
export function OtherLinks({ of: { sessionId, invoiceId } }: { readonly of: MemberSession }) {
  const { practiceId } = usePractice();
  const query = { invoiceId, limit: '20' };
  const { value } = useAnswer('listSessions', { params: { practiceId }, query });
  const others = value?.data.filter((session) => session.sessionId !== sessionId) ?? [];
  if (others.length === 0) return null;
  return (
    <Panel title="Other links of this invoice">
      <ul class="plain-list">
        {others.map((session) => (
          <li key={session.sessionId}>
            <a href={`/${practiceId}/sessions/${session.sessionId}`}>
              Created <Time at={session.createdAt} />
            </a>{' '}
            <SessionStatus session={session} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
