import { startTestTables } from '../support/tables.ts';
import { sandboxBank } from './banks.ts';
import { describePayments } from './faults.ts';

describePayments('sandbox', { tables: await startTestTables(), bank: sandboxBank });
