import type { ConnectBank, DebitProcessor } from './processor.ts';

/** A stage without a processor connects no bank, so that no session can leave `pending` and no money is ever in doubt. */
export const connectNoBank: ConnectBank = async () => ({ result: 'unavailable' });

export const noProcessor: DebitProcessor = {
  submitDebit: async () => ({ result: 'unknown' }),
  voidDebit: async () => 'unknown',
  findDebit: async () => undefined,
  acknowledge: async () => undefined,
};
