import { startTestTables } from '../support/tables.ts';
import { sandboxBank } from './banks.ts';
import { describePayments } from './faults.ts';
import { ways } from './payment-run.ts';

describePayments('sandbox', { tables: await startTestTables(), bank: sandboxBank }, ways);
