import type { ReferenceFinder } from '../processor.ts';

/** As a processor's would look. No bank knows them. */
export const sandboxReferences: ReferenceFinder = {
  async findReferences({ debitId }) {
    return { mandate: `mandate_${debitId}`, payment: debitId, routingNumberLast4: '0000' };
  },
};
