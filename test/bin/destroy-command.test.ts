import { describe, expect, test } from 'vitest';
import { destroyNamed } from '../../bin/practice/destroy-command.ts';
import type { StageName } from '../../lib/stage.ts';
import { fakeAccount, fakeStack } from '../lib/deploy/fake-account.ts';
import { captured, runLine } from '../support/run-command.ts';

async function typed(
  answers: string[],
  { stage = 'sandbox', dryRun = false }: { stage?: StageName; dryRun?: boolean } = {},
) {
  const { clients, existing, name } = fakeAccount({ stage, stacks: [fakeStack()], locked: ['archive0-1'] });
  const { terminal, printed } = captured(Infinity, answers);
  const outcome = destroyNamed(name, { dryRun, leftovers: false }, terminal, clients);
  const text = await outcome.then(
    ({ show }) => show(),
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  return { text, existing, notes: printed.stderr.join('') };
}

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
    expect((await runLine(['destroy', '--dry-run=yes'])).stderr).toContain('--dry-run takes no value');
  });
});
