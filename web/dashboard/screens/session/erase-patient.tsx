import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { usePractice } from '../../practice.ts';

interface ErasePatientDialogProps {
  readonly session: MemberSession;
  readonly changed: () => void;
  readonly close: () => void;
}

export function ErasePatientDialog({ session, changed, close }: ErasePatientDialogProps) {
  const { practiceId } = usePractice();
  const { sessionId, invoiceId, processingAt } = session;
  return (
    <ConfirmDialog
      title={`Erase the patient of invoice ${invoiceId}?`}
      action="Erase patient"
      danger
      act={() => call('erasePatient', { params: { practiceId, sessionId } })}
      done={({ evidenceKeptUntil }) => {
        const kept = evidenceKeptUntil?.slice(0, 10);
        announce(`Erased.${kept === undefined ? '' : ` The proof of authorization is kept until ${kept}.`}`);
        close();
        changed();
      }}
      close={close}
    >
      <ul>
        <li>The name, the bank account and the metadata are removed. It cannot be undone.</li>
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
