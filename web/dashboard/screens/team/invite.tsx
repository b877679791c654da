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
  readonly close: () => void;
  readonly invited: (invitation: CreatedInvitation) => Promise<void>;
}

export function Invite({ close, invited }: InviteProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'invite',
    initial: { email: '', role: 'staff' },
    check: ({ email }) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? {} : { email: 'Enter an e-mail address.' }),
    send: ({ email, role }) =>
      call('inviteMember', { params: { practiceId }, body: { email: email.trim(), role: roleOf(role) } }),
    sent: (invitation) => void invited(invitation),
  });
  return (
    <Dialog title="Invite someone" close={close}>
      <p>They get a link that works once, for 7 days.</p>
      <FormFrame form={form}>
        <TextField field={form.field('email')} label="E-mail" inputMode="email" maxLength={254} />
        <RadiosField field={form.field('role')} label="Role" options={roleOptions} />
        <FormActions action="Invite" busy={form.busy} close={close} />
      </FormFrame>
    </Dialog>
  );
}
