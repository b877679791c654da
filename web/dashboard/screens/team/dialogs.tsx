import type { CreatedInvitation, Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { RadiosField } from '../../parts/choices.tsx';
import { ConfirmDialog, FormDialog, type DialogAbout } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice, announce } from '../../parts/notice.tsx';
import { usePractice, roleOptions, roleWords, type Role } from '../../practice.ts';
import { useForm } from '../../use-form.ts';

type Member = Team['members'][number];
type Invitation = Team['invitations'][number];

export function Invite({ of: team, close, done }: DialogAbout<Team, CreatedInvitation>) {
  const { practiceId, platform } = usePractice();
  // A platform invites only the first admin.
  const isByPlatform = platform !== undefined;
  const isFirst = isByPlatform || team.members.length === 0;
  const initial: { email: string; role: Role } = { email: '', role: isFirst ? 'admin' : 'staff' };
  const form = useForm({
    name: 'invite',
    initial,
    check: ({ email }) => ({ email: problemOf(email.trim(), team) }),
    send: ({ email, role }) => call('inviteMember', { params: { practiceId }, body: { email: email.trim(), role } }),
    sent: (invitation) => void done(invitation),
  });
  return (
    <FormDialog
      title="Invite someone"
      lead="They get a link that works once, for 7 days. An earlier invitation to the same address stops working."
      form={form}
      action="Invite"
      close={close}
    >
      <TextField field={form.field('email')} label="Email" inputMode="email" />
      {!isByPlatform && <RadiosField field={form.field('role')} label="Role" options={roleOptions} />}
    </FormDialog>
  );
}

function problemOf(email: string, { members }: Team): string | undefined {
  if (!/^\S+@\S+\.\S+$/.test(email)) return 'Enter an email address.';
  const isMember = members.some((each) => each.email?.toLowerCase() === email.toLowerCase());
  return isMember ? 'They are already a member. You can change their role in the list.' : undefined;
}

export function RevokeInvitation({ of: { invitationId, email }, close, done }: DialogAbout<Invitation>) {
  const { practiceId } = usePractice();
  return (
    <ConfirmDialog
      title={`Revoke the invitation of ${email}?`}
      action="Revoke invitation"
      danger
      close={close}
      route="revokeInvitation"
      act={() => call('revokeInvitation', { params: { practiceId, invitationId } })}
      said="The invitation was revoked."
      done={() => done()}
    >
      <p>Its link stops working. You can invite them again.</p>
    </ConfirmDialog>
  );
}

export function ChangeRole({ of: { userId, email = userId, role, isYou }, close, done }: DialogAbout<Member>) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: `role-${userId}`,
    initial: { role },
    send: ({ role: chosen }) => call('changeMember', { params: { practiceId, userId }, body: { role: chosen } }),
    sent: (member) => {
      announce(`${email} is now ${roleWords[member.role].article}.`);
      void done();
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

export function RemoveMember({ of: { userId, email = userId, isYou }, close, done }: DialogAbout<Member>) {
  const { practiceId, name } = usePractice();
  return (
    <ConfirmDialog
      title={isYou ? `Leave ${name}?` : `Remove ${email}?`}
      action={isYou ? 'Leave practice' : 'Remove member'}
      danger
      close={close}
      route="removeMember"
      act={() => call('removeMember', { params: { practiceId, userId } })}
      {...(!isYou && { said: `${email} was removed.` })}
      done={() => (isYou ? location.assign('/') : done())}
    >
      <p>
        {isYou ? 'You lose' : 'They lose'} access to this practice at once. To come back,{' '}
        {isYou ? 'you need' : 'they need'} a new invitation.
      </p>
    </ConfirmDialog>
  );
}
