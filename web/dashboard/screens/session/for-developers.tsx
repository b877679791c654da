import type { SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { CopyField } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { TechnicalDetails } from '../../parts/unfolds.tsx';
import { Events } from './events.tsx';

/** Folded away: staff need none of it to collect a payment. */
export function ForDevelopers({ detail: { session, events } }: { readonly detail: SessionDetail }) {
  const metadata = Object.entries(session.metadata);
  return (
    <Panel title="For developers and support">
      <TechnicalDetails>
        <CopyField label="Session ID" text={session.sessionId} />
        {metadata.length > 0 && (
          <>
            <h3>Metadata</h3>
            <Facts facts={metadata} />
          </>
        )}
        <Events events={events} />
      </TechnicalDetails>
    </Panel>
  );
}
