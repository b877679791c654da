import { useState } from 'preact/hooks';
import type { CreatedInvitation, Team } from '../../../functions/contract/team/dashboard-team.ts';
import { Button } from '../parts/button.tsx';
import { CopyField } from '../parts/copy.tsx';
import { Notice } from '../parts/notice.tsx';
import { Screen, Panel, Loaded } from '../parts/screen.tsx';
import { Time, Tag, ZoneNote, Facts } from '../parts/facts.tsx';
import { Table } from '../parts/table.tsx';
import { isOwnAdmin, usePractice, roleWords } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { ChangeRole, RemoveMember, Invite, RevokeInvitation } from './team/dialogs.tsx';
import { YourMails } from './team/your-mails.tsx';

export function Team() {
  const practice = usePractice();
  const { practiceId, reloadMe } = practice;
  const answer = useAnswer('getTeam', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  const [invited, setInvited] = useState<CreatedInvitation>();
  const isAdmin = isOwnAdmin(practice);
  const hasNoAdmin = answer.value?.members.every(({ role }) => role !== 'admin') ?? false;
  // A platform invites a practice's first admin.
  const mayInvite = isAdmin || (practice.role === 'admin' && hasNoAdmin);
  const team = mayInvite ? answer.value : undefined;
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
        mayInvite && (
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
            {hasNoAdmin && (
              <Notice kind="warning" title="This practice has no admin of its own">
                <p>
                  Invite one. Only they can accept the terms, set up where payments are deposited, and decide who else
                  joins.
                </p>
              </Notice>
            )}
            {members.length > 0 && <Members members={members} isAdmin={isAdmin} />}
            <Invitations invitations={invitations} isAdmin={mayInvite} />
            {practice.platform === undefined && <YourMails {...yourMails} />}
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

function Members({ members, isAdmin }: Pick<Team, 'members'> & { readonly isAdmin: boolean }) {
  const { setQuery } = useQuery();
  const admins = members.filter(({ role }) => role === 'admin');
  return (
    <Panel title="Members">
      <Table
        caption="Members"
        note={<ZoneNote />}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            label: 'Member',
            cell: ({ userId, email = userId, isYou }) => (
              <div>
                <strong>{email}</strong> {isYou && <Tag tone="quiet">You</Tag>}
              </div>
            ),
          },
          { label: 'Role', cell: ({ role }) => roleWords[role].label },
          { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        actions={
          isAdmin &&
          (({ userId, email = userId, role }) =>
            admins.length === 1 && role === 'admin' ? (
              <span class="quiet">The last admin must stay an admin</span>
            ) : (
              <div class="actions">
                <Button kind="plain" aria-label={`Change role of ${email}`} onClick={() => setQuery({ role: userId })}>
                  Change role
                </Button>
                <Button kind="plain" aria-label={`Remove ${email}`} onClick={() => setQuery({ remove: userId })}>
                  Remove
                </Button>
              </div>
            ))
        }
      />
      <details>
        <summary>What each role can do</summary>
        <Facts facts={Object.values(roleWords).map(({ label, may }) => [label, may])} />
      </details>
    </Panel>
  );
}

function Invitations({ invitations, isAdmin }: Pick<Team, 'invitations'> & { readonly isAdmin: boolean }) {
  const { setQuery } = useQuery();
  if (invitations.length === 0) return null;
  return (
    <Panel title="Open invitations">
      <Table
        caption="Open invitations"
        rows={invitations}
        keyOf={({ invitationId }) => invitationId}
        columns={[
          { label: 'For', cell: ({ email }) => email },
          { label: 'Role', cell: ({ role }) => roleWords[role].label },
          { label: 'Invited by', cell: ({ createdBy = 'Service operator' }) => createdBy },
          { label: 'Works until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        ]}
        actions={
          isAdmin &&
          (({ invitationId, email }) => (
            <div class="actions">
              <Button
                kind="plain"
                aria-label={`Revoke the invitation of ${email}`}
                onClick={() => setQuery({ revoke: invitationId })}
              >
                Revoke
              </Button>
            </div>
          ))
        }
      />
    </Panel>
  );
}
