import type { SessionDetail, MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { callsFirst } from '../../advice.ts';
import { call, type Answer, type Response } from '../../api.ts';
import { formatDollars } from '../../format.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { ConfirmDialog, Dialog, type DialogAbout } from '../../parts/dialog.tsx';
import { allows, usePractice, useSettings } from '../../practice.ts';
import { blockWords, canBePaid, canBePaidAnew, hasReceipt, isOver, isPaid } from '../../session-words.ts';
import { useQuery } from '../../use-query.ts';
import { canBeRefunded, RefundDialog } from './refund.tsx';
import { RemindDialog } from './remind.tsx';

interface SessionActionsProps {
  readonly detail: SessionDetail;
  readonly changed: () => void;
  readonly replaced: (link: Response<'replaceLink'>) => void;
}

export function SessionActions({ detail, changed, replaced }: SessionActionsProps) {
  const { practiceId, role } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  if (!allows(role, 'staff')) return null;
  const { session, cancelRequestedAt, blockingSessionId } = detail;
  const asking = query.get('dialog');
  const ask = (dialog: 'reminder' | 'cancel' | 'new-link' | 'refund' | 'erase') => () => setQuery({ dialog });
  const close = () => replaceQuery({ dialog: undefined });
  const refundable = allows(role, 'admin') && canBeRefunded(session);
  const erasable = allows(role, 'admin') && isOver(session) && session.scrubbedAt === undefined;
  return (
    <>
      {canBePaidAnew(session) && (
        <ButtonLink
          kind={blockingSessionId === undefined && !callsFirst(session) ? 'primary' : 'secondary'}
          href={`/${practiceId}/sessions/new?like=${session.sessionId}`}
        >
          New payment link
        </ButtonLink>
      )}
      {canBePaid(session) && (
        <Button kind="primary" onClick={ask('reminder')}>
          Remind patient
        </Button>
      )}
      {session.processingAt !== undefined && (
        <ButtonLink href={`/${practiceId}/sessions/${session.sessionId}/authorization`}>
          Proof of authorization
        </ButtonLink>
      )}
      {session.scrubbedAt === undefined && <Button onClick={ask('new-link')}>{replaceWords(session)}</Button>}
      {!isOver(session) && cancelRequestedAt === undefined && <Button onClick={ask('cancel')}>Cancel payment</Button>}
      {refundable && <Button onClick={ask('refund')}>Refund</Button>}
      {erasable && <Button onClick={ask('erase')}>Erase patient</Button>}
      {allows(role, 'admin') &&
        asking === 'refund' &&
        (canBeRefunded(session) ? (
          <RefundDialog of={detail} done={changed} close={close} />
        ) : (
          <NothingLeft to="refund" close={close} />
        ))}
      {erasable && asking === 'erase' && <ErasePatientDialog of={session} done={changed} close={close} />}
      {asking === 'reminder' &&
        (canBePaid(session) ? (
          <RemindDialog of={detail} done={() => replaceQuery({ dialog: 'new-link' })} close={close} />
        ) : (
          <NothingLeft to="remind the patient of" close={close} />
        ))}
      {asking === 'cancel' &&
        (isOver(session) ? (
          <NothingLeft to="cancel" close={close} />
        ) : (
          <CancelDialog of={session} done={changed} close={close} />
        ))}
      {session.scrubbedAt === undefined && asking === 'new-link' && (
        <NewLinkDialog
          of={detail}
          close={close}
          done={(link) => {
            replaced(link);
            changed();
          }}
        />
      )}
    </>
  );
}

function replaceWords(session: MemberSession): string {
  return hasReceipt(session) ? 'Replace the receipt link' : 'Replace link';
}

interface NothingLeftProps {
  readonly to: string;
  readonly close: () => void;
}

/** The session changed while a dialog was open. */
function NothingLeft({ to, close }: NothingLeftProps) {
  return (
    <Dialog title={`Nothing is left to ${to}`} close={close}>
      <p>This payment has changed in the meantime. Its page shows where it stands.</p>
      <div class="actions">
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  );
}

function CancelDialog({ of: session, done, close }: DialogAbout<MemberSession>) {
  const { practiceId } = usePractice();
  async function cancel(): Promise<Answer<string>> {
    const answer = await call('cancelSession', { params: { practiceId, sessionId: session.sessionId } });
    if (answer.ok) return { ok: true, value: 'The payment is cancelled.' };
    // The service keeps retrying.
    if (answer.problem.code === 'cancellation_pending')
      return { ok: true, value: 'We asked the bank to stop the debit. The outcome will appear here.' };
    return answer;
  }
  return (
    <ConfirmDialog
      title={`Cancel the payment of invoice ${session.invoiceId}?`}
      action="Cancel payment"
      danger
      route="cancelSession"
      act={cancel}
      said={(words) => words}
      done={() => done()}
      close={close}
    >
      {session.status === 'pending' ? (
        <p>Patients can no longer pay {formatDollars(session.amountCents)} with this link. It cannot be undone.</p>
      ) : (
        <p>
          The patient has authorized {formatDollars(session.amountCents)}. We ask whether the debit can still be
          stopped: if it can, no money moves, and it cannot be undone; if the bank has it already, the payment goes on.
        </p>
      )}
    </ConfirmDialog>
  );
}

function NewLinkDialog({ of, done, close }: DialogAbout<SessionDetail, Response<'replaceLink'>>) {
  const { practiceId } = usePractice();
  const { settings } = useSettings();
  const { session, bankConnectedAt } = of;
  const { blockedBy } = session;
  const days = settings.linkLifetimeDays === 1 ? 'one day' : `${settings.linkLifetimeDays} days`;
  return (
    <ConfirmDialog
      title={`Replace the link of invoice ${session.invoiceId}?`}
      action={replaceWords(session)}
      route="replaceLink"
      act={() => call('replaceLink', { params: { practiceId, sessionId: session.sessionId } })}
      said="The old link no longer works. The new one is on this page."
      done={done}
      close={close}
    >
      <ul>
        <li>The old link stops working right away, including for the patient.</li>
        {session.status === 'pending' ? (
          <>
            <li>
              The patient starts over
              {bankConnectedAt === undefined ? '' : ': the connected bank account is removed'}, with new bank sign-ins
              and the full time to pay.
            </li>
            <li>The new link works for {days}.</li>
            {blockedBy !== undefined && blockedBy !== 'bank_connection_locked' && (
              <li>It cannot be paid either: {blockWords[blockedBy]}.</li>
            )}
          </>
        ) : (
          <li>
            Nothing else changes: the new link shows the same {isPaid(session) ? 'receipt' : 'outcome'}, and nothing can
            be paid with it. Do this if the old link reached someone else.
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}

function ErasePatientDialog({ of: session, done, close }: DialogAbout<MemberSession>) {
  const { practiceId } = usePractice();
  const { sessionId, invoiceId, processingAt } = session;
  return (
    <ConfirmDialog
      title={`Erase the patient of invoice ${invoiceId}?`}
      action="Erase patient"
      danger
      route="erasePatient"
      act={() => call('erasePatient', { params: { practiceId, sessionId } })}
      said={({ evidenceKeptUntil: until }) =>
        `Erased.${until === undefined ? '' : ` The proof of authorization is kept until ${until.slice(0, 10)}.`}`
      }
      done={() => done()}
      close={close}
    >
      <ul>
        <li>The name, the bank account and everything added to the link are removed. It cannot be undone.</li>
        <li>The payment link no longer shows the details or a receipt.</li>
        {processingAt !== undefined && (
          <li>
            The proof of authorization stays, with the name and the bank account: it must be kept for seven years.
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}
