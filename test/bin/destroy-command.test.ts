import { describe, expect, test } from 'vitest';
import { destroyNamed } from '../../bin/practice/operation-commands.ts';
import type { StageName } from '../../lib/settings/stage.ts';
import { fakeAccount, fakeStack } from '../lib/deploy/fake-account.ts';
import { captured, runLine } from '../support/run-command.ts';

async function typed(
  answers: string[],
  {
    stage = 'sandbox',
    dryRun = false,
    leftovers = false,
    dropped = new Map<string, string>(),
  }: { stage?: StageName; dryRun?: boolean; leftovers?: boolean; dropped?: Map<string, string> } = {},
) {
  const failed = fakeStack({ id: earlierId, status: 'DELETE_COMPLETE' });
  const stacks = [...(leftovers ? [failed] : []), fakeStack({ dropped })];
  const { clients, existing, name } = fakeAccount({ stage, stacks, locked: ['archive0-1'] });
  const { terminal, printed } = captured(Infinity, answers);
  const outcome = destroyNamed(name, { dryRun, leftovers }, terminal, clients);
  const text = await outcome.then(
    ({ show }) => show(),
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  return { text, existing, notes: printed.stderr.join('') };
}

const earlierId = 'arn:aws:cloudformation:us-east-1:123456789012:stack/Name/0';
const sandbox = 'PatientInvoicePaymentSandbox';
const production = 'PatientInvoicePaymentProduction';

describe('the destroy command', () => {
  test('removes a sandbox after its name is typed, and says what it keeps', async () => {
    const { text, existing } = await typed([sandbox]);
    expect([...existing]).toEqual(['archive0-1']);
    expect(text).toContain(`${sandbox} is removed.`);
    expect(text).toContain('archive0-1');
  });

  test.each([[['yes']], [[]]])('removes nothing after %j', async (answers) => {
    const { text, existing } = await typed(answers);
    expect(existing.size).toBe(175);
    expect(text).toContain('Nothing was removed');
  });

  test('asks for the account, too, in production', async () => {
    const wrong = await typed([production, '210987654321'], { stage: 'production' });
    expect(wrong.existing.size).toBe(175);
    expect(wrong.text).toContain("not the account's ID");
    const right = await typed([production, '123456789012'], { stage: 'production' });
    expect([...right.existing]).toEqual(['archive0-1']);
  });

  test('says that leftovers are removed and that the stack stays', async () => {
    const answers = [production, '123456789012'];
    const { text, notes, existing } = await typed(answers, { stage: 'production', leftovers: true });
    expect(text).toContain(`What earlier stacks named ${production} left behind is removed.`);
    expect(notes).toContain('that earlier stacks of this name kept');
    expect(notes).not.toContain('every link stops working');
    expect([existing.has('table0-0'), existing.has('table0-1')]).toEqual([false, true]);
  });

  test('names what a release took out of the stack', async () => {
    const { notes } = await typed([], {
      dryRun: true,
      dropped: new Map([['us-east-1_old', 'AWS::Cognito::UserPool']]),
    });
    expect(notes).toContain('Not in the stack anymore: us-east-1_old,');
  });

  test('lists everything and asks nothing in a dry run', async () => {
    const { text, existing, notes } = await typed([], { dryRun: true });
    expect(existing.size).toBe(175);
    expect(notes).toContain('175 resources');
    expect(notes).toContain('tables: 16');
    expect(notes).not.toContain('Type');
    expect(text).toBe(['Nothing was removed.', 'Kept:', text.split('\n').slice(2).join('\n')].join('\n'));
  });

  test('needs a deployed stack', async () => {
    const { exitCode, stderr } = await runLine(['destroy', '--dry-run']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('destroy needs --stack NAME');
    expect((await runLine(['destroy', '--dry-run=yes'])).stderr).toContain("unknown option '--dry-run=yes'");
  });
});
