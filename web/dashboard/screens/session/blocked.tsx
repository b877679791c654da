import type { SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { Notice } from '../../parts/notice.tsx';
import { usePractice } from '../../practice.ts';
import { blockWords } from '../../session-words.ts';

/** Why a pending session cannot be paid. */
export function Blocked({ detail: { session, blockingSessionId } }: { readonly detail: SessionDetail }) {
  const { practiceId } = usePractice();
  const { blockedBy } = session;
  if (!blockedBy) return null;
  return (
    <div class="banner">
      <Notice kind="warning" title={blockWords[blockedBy]}>
        <p>
          {blockedBy === 'bank_connection_locked'
            ? 'The patient failed to sign in at a bank five times. A new link starts over.'
            : 'The patient cannot pay with this link, and its page says so.'}
          {blockingSessionId !== undefined && (
            <>
              {' '}
              <a href={`/${practiceId}/sessions/${blockingSessionId}`}>See the other session</a>.
            </>
          )}
        </p>
      </Notice>
    </div>
  );
}
