import { simulates } from '../session-words.ts';
import { call } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton, CopyField } from '../parts/copy.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Panel, Screen, Loaded } from '../parts/screen.tsx';
import { Table } from '../parts/table.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';

export function TestBank() {
  const { practiceId, role } = usePractice();
  const answer = useAnswer('getTestBank', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  return (
    <Screen
      title="Test bank"
      lead="In the sandbox, patients sign in to a bank that does not exist. Open a payment link, connect the Sandbox Bank as one of these users, and see what happens."
    >
      <Loaded of={answer}>
        {({ password, users }) => (
          <>
            <Panel
              title="Password"
              note="The same for every user, and only for your practice."
              actions={
                allows(role, 'admin') && <Button onClick={() => setQuery({ dialog: 'replace' })}>New password</Button>
              }
            >
              <CopyField label="Test bank password" text={password} />
            </Panel>
            <Panel title="Users">
              <Table
                caption="Users"
                rows={users}
                keyOf={({ username }) => username}
                columns={[
                  { label: 'User', cell: ({ username }) => <code>{username}</code> },
                  { label: 'What happens', cell: simulates },
                ]}
                actions={({ username }) => (
                  <div class="actions">
                    <CopyButton kind="plain" text={username} label={`Copy ${username}`} />
                  </div>
                )}
              />
            </Panel>
          </>
        )}
      </Loaded>
      {allows(role, 'admin') && query.get('dialog') === 'replace' && (
        <ConfirmDialog
          title="Issue a new password?"
          action="Issue new password"
          close={() => replaceQuery({ dialog: undefined })}
          route="changeTestBankPassword"
          act={() => call('changeTestBankPassword', { params: { practiceId } })}
          said="The test bank has a new password."
          done={answer.replace}
        >
          <p>The old password stops working right away, including in automated tests.</p>
        </ConfirmDialog>
      )}
    </Screen>
  );
}
