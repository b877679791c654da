import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { usePractice } from '../../practice.ts';

interface RevokeInvitationProps {
  readonly of: Team['invitations'][number];
  readonly close: () => void;
  readonly revoked: () => Promise<void>;
}

export function RevokeInvitation({ of: { invitationId, email }, close, revoked }: RevokeInvitationProps) {
  const { practiceId } = usePractice();
  return (
    <ConfirmDialog
      title={`Revoke the invitation of ${email}?`}
      action="Revoke invitation"
      danger
      close={close}
      act={() => call('revokeInvitation', { params: { practiceId, invitationId } })}
      done={() => {
        announce('The invitation was revoked.');
        void revoked();
      }}
    >
      <p>Its link stops working. You can invite them again.</p>
    </ConfirmDialog>
  );
}
