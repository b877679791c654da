import { minute, toIso } from '../../functions/domain/time.ts';
import { readSessionPage } from '../../functions/store/sessions/session-list.ts';
import { capacityTable } from './capacity-table.ts';
import { fillSessions } from './fill-sessions.ts';

const none = {
  practice: 'prc',
  invoiceId: undefined,
  returned: false,
  createdSince: undefined,
  createdBefore: undefined,
  before: undefined,
  limit: 25,
  statuses: [],
};

const oneInvoice = { ...none, practice: 'prc_one_invoice', invoiceId: 'INV-7' };

const pages = [
  ['first page, no filter', none],
  ['first page, two states', { ...none, statuses: ['succeeded', 'failed'] as const }],
  ['the only match of a state', { ...none, statuses: ['failed'] as const }],
  ['one invoice', { ...none, invoiceId: 'INV-7' }],
  ['returned', { ...none, returned: true }],
  ['created before a minute ago', { ...none, createdBefore: toIso(Date.now() - minute) }],
  ['all of one invoice, in a state that one has', { ...oneInvoice, statuses: ['failed'] as const }],
] as const;

export async function benchListCapacity(): Promise<string> {
  return capacityTable({
    rows: 'sessions',
    async fill(database, size) {
      await fillSessions(database, `prc_${size}`, size);
      await fillSessions(database, `prc_one_invoice_${size}`, size, () => 'INV-7');
    },
    pages: pages.map(([name, query]) => ({
      name,
      async read(database, size) {
        const practiceId = `${query.practice}_${size}`;
        return (await readSessionPage(database, { ...query, practiceId }, Date.now())).sessions.length;
      },
    })),
  });
}
