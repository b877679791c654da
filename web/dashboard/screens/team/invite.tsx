import type { CreatedInvitation, Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { RadiosField } from '../../parts/choices.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { roleOf, roleOptions } from '../../role-words.ts';
import { useForm } from '../../use-form.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';

interface InviteProps {
  readonly team: Team;
  readonly close: () => void;
  readonly invited: (invitation: CreatedInvitation) => Promise<void>;
}

export function Invite({ team, close, invited }: InviteProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'invite',
    initial: { email: '', role: 'staff' },
    check: ({ email }) => ({ email: problemOf(email.trim(), team) }),
    send: ({ email, role }) =>
      call('inviteMember', { params: { practiceId }, body: { email: email.trim(), role: roleOf(role) } }),
    sent: (invitation) => void invited(invitation),
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
      <RadiosField field={form.field('role')} label="Role" options={roleOptions} />
    </FormDialog>
  );
}

function problemOf(email: string, { members }: Team): string | undefined {
  if (!/^\S+@\S+\.\S+$/.test(email)) return 'Enter an email address.';
  const isMember = members.some((each) => each.email?.toLowerCase() === email.toLowerCase());
  return isMember ? 'They are already a member. You can change their role in the list.' : undefined;
}

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
