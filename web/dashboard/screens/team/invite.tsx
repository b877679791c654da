import type { Team } from '../../../../functions/contract/dashboard-api/get-team.ts';
import type { CreatedInvitation } from '../../../../functions/contract/dashboard-api/invite-member.ts';
import { call } from '../../api.ts';
import { RadiosField } from '../../parts/choices.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { FormFrame } from '../../parts/form-frame.tsx';
import { usePractice } from '../../practice.ts';
import { roleOf, roleOptions } from '../../role-words.ts';
import { useForm } from '../../use-form.ts';

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
    <Dialog title="Invite someone" close={close}>
      <p>They get a link that works once, for 7 days.</p>
      <FormFrame form={form}>
        <TextField field={form.field('email')} label="E-mail" inputMode="email" />
        <RadiosField field={form.field('role')} label="Role" options={roleOptions} />
        <FormActions action="Invite" busy={form.busy} close={close} />
      </FormFrame>
    </Dialog>
  );
}

function problemOf(email: string, { members, invitations }: Team): string | undefined {
  if (!/^\S+@\S+\.\S+$/.test(email)) return 'Enter an e-mail address.';
  const isTheirs = (each: { readonly email?: string | undefined }) => each.email?.toLowerCase() === email.toLowerCase();
  if (members.some(isTheirs)) return 'They are a member already. You can change their role in the list.';
  // Of two links, one would outlive the revocation of the other.
  return invitations.some(isTheirs) ? 'They are invited already. Revoke that invitation to send another.' : undefined;
}
