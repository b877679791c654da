import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { Button } from '../../parts/button.tsx';
import { Tag, Time, ZoneNote } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { roleWords } from '../../role-words.ts';
import { useQuery } from '../../use-query.ts';

type Member = Team['members'][number];

export function Members({ members, isAdmin }: { readonly members: readonly Member[]; readonly isAdmin: boolean }) {
  const { setQuery } = useQuery();
  const admins = members.filter(({ role }) => role === 'admin');
  return (
    <Panel title="Members">
      <Table
        caption="Members"
        captionHidden
        note={<ZoneNote />}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            label: 'Member',
            cell: (member) => (
              <div>
                <strong>{member.email ?? member.userId}</strong> {member.isYou && <Tag tone="quiet">You</Tag>}
              </div>
            ),
          },
          { label: 'Role', cell: ({ role }) => roleWords[role].label },
          { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(isAdmin
            ? [
                {
                  label: 'Actions',
                  labelHidden: true,
                  cell: (member: Member) =>
                    admins.length === 1 && member.role === 'admin' ? (
                      <span class="quiet">The last admin must stay an admin</span>
                    ) : (
                      <div class="actions">
                        <Button
                          kind="plain"
                          aria-label={`Change role of ${member.email ?? member.userId}`}
                          onClick={() => setQuery({ role: member.userId })}
                        >
                          Change role
                        </Button>
                        <Button
                          kind="plain"
                          aria-label={`Remove ${member.email ?? member.userId}`}
                          onClick={() => setQuery({ remove: member.userId })}
                        >
                          Remove
                        </Button>
                      </div>
                    ),
                },
              ]
            : []),
        ]}
      />
      <details>
        <summary>What each role can do</summary>
        <dl class="facts">
          {Object.values(roleWords).map(({ label, may }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{may}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  );
}

type Invitation = Team['invitations'][number];

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  readonly isAdmin: boolean;
}

export function Invitations({ invitations, isAdmin }: InvitationsProps) {
  const { setQuery } = useQuery();
  if (invitations.length === 0) return null;
  return (
    <Panel title="Open invitations">
      <Table
        caption="Open invitations"
        captionHidden
        rows={invitations}
        keyOf={({ invitationId }) => invitationId}
        columns={[
          { label: 'For', cell: ({ email }) => email },
          { label: 'Role', cell: ({ role }) => roleWords[role].label },
          { label: 'Invited by', cell: ({ createdBy = 'Service operator' }) => createdBy },
          { label: 'Works until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          ...(isAdmin
            ? [
                {
                  label: 'Actions',
                  labelHidden: true,
                  cell: ({ invitationId, email }: Invitation) => (
                    <div class="actions">
                      <Button
                        kind="plain"
                        aria-label={`Revoke the invitation of ${email}`}
                        onClick={() => setQuery({ revoke: invitationId })}
                      >
                        Revoke
                      </Button>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
