import type { ApiKey } from '../domain/api-key.ts';
import { Fault } from '../domain/fault.ts';
import { practice, type Practice } from '../domain/practice.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Database } from './database.ts';
import { expression } from './expressions.ts';
import { get, scanAll, update } from './rows.ts';
import { transact } from './transact.ts';
import { putNew } from './writes.ts';

type Practices = Database<'practices'>;

/** Eventually consistent: changed settings may take a second to show. */
export async function getPractice(database: Practices, practiceId: string): Promise<Practice | undefined> {
  return get(database, 'practices', { practiceId }, practice, { consistent: false });
}

export async function getExistingPractice(database: Practices, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw new Fault(`practice ${practiceId} is missing`);
  return found;
}

export async function insertPractice(
  database: Database<'practices' | 'apiKeys' | 'webhookEndpoints'>,
  created: Practice,
  key: ApiKey,
  endpoint: WebhookEndpoint | undefined,
): Promise<void> {
  const refused = await transact(database, {
    practice: putNew(database, 'practices', created, 'practiceId'),
    key: putNew(database, 'apiKeys', key, 'keyId'),
    endpoint: endpoint && putNew(database, 'webhookEndpoints', endpoint, 'endpointId'),
  });
  if (refused) throw new Fault('a new id was already taken');
}

export async function updatePractice(
  database: Practices,
  practiceId: string,
  settings: { readonly [Name in Exclude<keyof Practice, 'practiceId'>]?: Practice[Name] | undefined },
  remove: readonly 'logoUrl'[] = [],
): Promise<Practice | undefined> {
  const given = Object.values(settings).filter((value) => value !== undefined);
  if (given.length + remove.length === 0) return getPractice(database, practiceId);
  const condition = expression`attribute_exists(practiceId)`;
  const { row } = await update(database, 'practices', { practiceId }, { set: settings, remove, condition }, practice);
  return row;
}

export async function readPractices(database: Practices): Promise<Practice[]> {
  return scanAll(database, 'practices', practice);
}
