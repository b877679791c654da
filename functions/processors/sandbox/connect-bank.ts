import { equalInConstantTime, sha256 } from '../../domain/identifier.ts';
import { connectionOf, isSandboxUser, sandboxAccount } from '../../domain/payments/sandbox-bank.ts';
import type { BankConnector } from '../processor.ts';

export const sandboxConnector: BankConnector = {
  async connectBank({ signIn, practice }) {
    if (!signIn) return { result: 'refused' };
    const { bank, username, password } = signIn;
    if (bank === 'unavailable_bank') return { result: 'unavailable' };
    const known = isSandboxUser(username) && equalInConstantTime(sha256(password), sha256(practice.testBankPassword));
    if (!known) return { result: 'refused' };
    const connection = connectionOf(username);
    if (!connection.connects) return { result: connection.unavailable ? 'unavailable' : 'refused' };
    return { result: 'connected', bankAccount: sandboxAccount(username), processorAccount: username };
  },
};
