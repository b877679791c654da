import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { usePractice } from '../../practice.ts';

interface RemoveMemberProps {
  readonly of: Team['members'][number];
  readonly close: () => void;
  readonly removed: () => Promise<void>;
}

export function RemoveMember({ of: { userId, email = userId, isYou }, close, removed }: RemoveMemberProps) {
  const { practiceId, name } = usePractice();
  return (
    <ConfirmDialog
      title={isYou ? `Leave ${name}?` : `Remove ${email}?`}
      action={isYou ? 'Leave practice' : 'Remove member'}
      danger
      close={close}
      act={() => call('removeMember', { params: { practiceId, userId } })}
      done={() => {
        if (isYou) return location.assign('/');
        announce(`${email} was removed.`);
        void removed();
      }}
    >
      <p>
        {isYou ? 'You lose' : 'They lose'} access to this practice at once. To come back,{' '}
        {isYou ? 'you need' : 'they need'} a new invitation.
      </p>
    </ConfirmDialog>
  );
}
