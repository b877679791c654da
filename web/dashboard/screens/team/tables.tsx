import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { Button } from '../../parts/button.tsx';
import { Tag, Time, ZoneNote, Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { roleWords } from '../../practice.ts';
import { useQuery } from '../../use-query.ts';

export function Members({ members, isAdmin }: Pick<Team, 'members'> & { readonly isAdmin: boolean }) {
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

export function Invitations({ invitations, isAdmin }: Pick<Team, 'invitations'> & { readonly isAdmin: boolean }) {
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
