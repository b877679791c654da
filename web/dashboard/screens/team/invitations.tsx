import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { roleWords } from '../../role-words.ts';
import { useQuery } from '../../use-query.ts';

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
