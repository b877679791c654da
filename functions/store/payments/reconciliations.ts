import { reconciliation, type Reconciliation } from '../../domain/payments/reconciliation.ts';
import type { Database } from '../database.ts';
import { get, scanAll, update } from '../rows.ts';

type Reconciliations = Database<'reconciliations'>;

export async function readReconciliations(database: Reconciliations): Promise<Reconciliation[]> {
  return scanAll(database, 'reconciliations', reconciliation);
}

export async function getReconciliation(
  database: Reconciliations,
  account: string,
): Promise<Reconciliation | undefined> {
  return get(database, 'reconciliations', { account }, reconciliation);
}

export async function saveReconciliation(
  database: Reconciliations,
  { account, ...set }: Reconciliation,
): Promise<void> {
  await update(database, 'reconciliations', { account }, { set }, reconciliation);
}
