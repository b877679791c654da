import { useState } from 'preact/hooks';
import type { CreatedInvitation } from '../../../functions/contract/team/dashboard-team.ts';
import { Button } from '../parts/button.tsx';
import { CopyField } from '../parts/copy.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { Time } from '../parts/facts.tsx';
import { allows, usePractice, roleWords } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { ChangeRole, RemoveMember, Invite, RevokeInvitation } from './team/dialogs.tsx';
import { Invitations, Members } from './team/tables.tsx';
import { YourMails } from './team/your-mails.tsx';

export function Team() {
  const { practiceId, role, reloadMe } = usePractice();
  const answer = useAnswer('getTeam', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  const [invited, setInvited] = useState<CreatedInvitation>();
  const isAdmin = allows(role, 'admin');
  const team = isAdmin ? answer.value : undefined;
  const memberOf = (name: string) => team?.members.find(({ userId }) => userId === query.get(name));
  const [changing, removing] = [memberOf('role'), memberOf('remove')];
  const revoking = team?.invitations.find(({ invitationId }) => invitationId === query.get('revoke'));
  const close = () => replaceQuery({ invite: undefined, role: undefined, remove: undefined, revoke: undefined });
  async function show(invitation: CreatedInvitation) {
    setInvited(invitation);
    close();
    await answer.reload();
  }
  async function changed() {
    close();
    await answer.reload();
    if (changing?.isYou) await reloadMe();
  }
  async function forget(invitationId: string) {
    setInvited((last) => (last?.invitationId === invitationId ? undefined : last));
    await answer.reload();
  }
  return (
    <Screen
      title="Team"
      lead="Who may use this dashboard, and for what. A change takes effect on their next click."
      actions={
        isAdmin && (
          <Button kind="primary" onClick={() => setQuery({ invite: '1' })}>
            Invite someone
          </Button>
        )
      }
    >
      {invited && <Invited {...invited} />}
      <Loaded of={answer}>
        {({ members, invitations, yourMails }) => (
          <>
            <Members members={members} isAdmin={isAdmin} />
            <Invitations invitations={invitations} isAdmin={isAdmin} />
            <YourMails {...yourMails} />
          </>
        )}
      </Loaded>
      {team && query.has('invite') && <Invite of={team} close={close} done={show} />}
      {changing && <ChangeRole of={changing} close={close} done={changed} />}
      {removing && <RemoveMember of={removing} close={close} done={answer.reload} />}
      {revoking && <RevokeInvitation of={revoking} close={close} done={() => forget(revoking.invitationId)} />}
    </Screen>
  );
}

function Invited({ email, role, mailed, createsAccount, invitationUrl, expiresAt }: CreatedInvitation) {
  if (mailed)
    return (
      <Notice kind="good" title={`An email is on its way to ${email}`}>
        <p>
          They become {roleWords[role].article} once they follow its link, until{' '}
          <Time at={expiresAt} as="time with zone" />.
        </p>
      </Notice>
    );
  return (
    <Notice kind="warning" title={`Send this link to ${email} yourself`}>
      <p>
        The link was not emailed. Whoever opens the link first becomes {roleWords[role].article}, so send it where only
        they read it. It works once, until <Time at={expiresAt} as="time with zone" />, and will not be shown again.
      </p>
      <CopyField label="Invitation link" text={invitationUrl} />
      {createsAccount && <p>If they have no account yet, they get an email with a temporary password.</p>}
    </Notice>
  );
}
