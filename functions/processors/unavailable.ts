import type { BankConnector, DebitProcessor } from './processor.ts';

export const noConnector: BankConnector = { connectBank: async () => ({ result: 'unavailable' }) };

export const noProcessor: DebitProcessor = {
  submitDebit: async () => ({ result: 'unknown' }),
  voidDebit: async () => ({ result: 'unknown' }),
  findDebit: async () => undefined,
  acknowledge: async () => undefined,
};
