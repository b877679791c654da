import type { TestBank } from '../contract/practices/dashboard-settings.ts';
import { Problem } from '../contract/problem.ts';
import { randomBase62, type RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { sandboxUserNames } from '../domain/payments/sandbox-bank.ts';
import type { ModeTools, WritingTools } from '../store/database.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { practiceEntry, practiceNotFound, requirePractice, type PracticeOfAuthor } from './requirements.ts';

export function generateTestBankPassword(randomBytes: RandomBytes): string {
  return `test-${randomBase62(10, randomBytes)}`;
}

/** Every practice has the same sandbox users, with its own password. */
export function testBankCredentials({ testBankPassword }: Pick<Practice, 'testBankPassword'>) {
  return sandboxUserNames.map((username) => ({
    scenario: username.replace(/^user_/, ''),
    username,
    password: testBankPassword,
  }));
}

export function testBankOf(practice: Practice): TestBank {
  const users = testBankCredentials(practice).map(({ scenario, username }) => ({ scenario, username }));
  return { password: practice.testBankPassword, users };
}

/** Throws a Problem in live mode. */
export async function getTestBank(
  { database, mode }: ModeTools,
  { practiceId }: { readonly practiceId: string },
): Promise<TestBank> {
  requireSandbox(mode);
  return testBankOf(await requirePractice(database, practiceId));
}

/** The old password stops working at once. */
export async function newTestBankPassword(
  tools: WritingTools & { readonly mode: Mode },
  { practiceId, author }: PracticeOfAuthor,
  now: number,
): Promise<TestBank> {
  requireSandbox(tools.mode);
  const testBankPassword = generateTestBankPassword(tools.randomBytes);
  const entry = practiceEntry(tools, { practiceId, author }, 'test_bank_password.changed', now);
  const { row } = await updatePractice(tools.database, practiceId, { set: { testBankPassword } }, entry);
  if (!row) throw practiceNotFound();
  return testBankOf(row);
}

function requireSandbox(mode: Mode): void {
  if (mode === 'live') throw new Problem('test_bank_not_found', 'Only the sandbox has a test bank.');
}
