import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { RadiosField } from '../../parts/choices.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePractice } from '../../practice.ts';
import { roleOf, roleOptions, roleWords } from '../../role-words.ts';
import { useForm } from '../../use-form.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';

interface ChangeRoleProps {
  readonly of: Team['members'][number];
  readonly close: () => void;
  readonly changed: () => Promise<void>;
}

export function ChangeRole({ of: { userId, email = userId, role, isYou }, close, changed }: ChangeRoleProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: `role-${userId}`,
    initial: { role: String(role) },
    send: ({ role: chosen }) =>
      call('changeMember', { params: { practiceId, userId }, body: { role: roleOf(chosen) } }),
    sent: (member) => {
      announce(`${email} is now ${roleWords[member.role].article}.`);
      void changed();
    },
  });
  return (
    <FormDialog title={`Change the role of ${email}`} form={form} action="Change role" close={close}>
      <RadiosField field={form.field('role')} label="Role" options={roleOptions} />
      {isYou && form.values.role !== 'admin' && (
        <Notice kind="warning">
          <p>This is you. Only another admin can make you an admin again.</p>
        </Notice>
      )}
    </FormDialog>
  );
}

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
