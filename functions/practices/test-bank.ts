import { randomBase62, type RandomBytes } from '../domain/identifier.ts';
import type { Practice } from '../domain/practice.ts';
import { sandboxUserNames } from '../domain/sandbox-bank.ts';

export function generateTestBankPassword(randomBytes: RandomBytes): string {
  return `test-${randomBase62(10, randomBytes)}`;
}

/** Every practice has the same sandbox users, with a password of its own. */
export function testBankCredentials({ testBankPassword }: Pick<Practice, 'testBankPassword'>) {
  return sandboxUserNames.map((username) => ({
    scenario: username.replace(/^user_/, ''),
    username,
    password: testBankPassword,
  }));
}
