import * as z from 'zod/mini';
import type { ApiKey } from '../../domain/practices/api-key.ts';
import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { Fault } from '../../domain/fault.ts';
import { practice, type Practice } from '../../domain/practices/practice.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { logFault } from '../../log.ts';
import { auditPart, updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { allOf, attribute, expression, isStill } from '../expressions.ts';
import { get, scanAll, update, type Updated } from '../rows.ts';
import { transact } from '../transact.ts';
import { check, putNew, type Change, type Part } from '../writes.ts';

/** Changed settings can take a second to appear, but a practice that was just created is found. */
export async function getPractice(database: Database, practiceId: string): Promise<Practice | undefined> {
  const key = { practiceId };
  const nearby = await get(database, 'practices', key, practice, { consistent: false });
  return nearby ?? (await get(database, 'practices', key, practice));
}

export async function getExistingPractice(database: Database, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw new Fault(`practice ${practiceId} is missing`);
  return found;
}

export async function insertPractice(
  database: Database,
  created: Practice,
  key: ApiKey | undefined,
  endpoint: WebhookEndpoint | undefined,
  entry: AuditEntry,
): Promise<void> {
  const refused = await transact(database, {
    practice: putNew(database, 'practices', created, 'practiceId'),
    key: key && putNew(database, 'apiKeys', key, 'keyId'),
    endpoint: endpoint && putNew(database, 'webhookEndpoints', endpoint, 'endpointId'),
    audit: auditPart(database, entry),
  });
  if (refused) throw new Fault('a new id was already taken');
}

export interface PracticeChange {
  readonly set: Omit<NonNullable<Change<Practice>['set']>, 'practiceId'>;
  /** Refuses the change if the practice lacks this attribute. */
  readonly requires?:
    | 'supportPhone'
    | 'supportEmail'
    | 'depositReadyAt'
    | 'debitsStoppedAt'
    | 'suspendedAt'
    | 'suspendedByPlatform'
    | undefined;
  /** Refuses the change if the practice has this attribute. */
  readonly unless?: 'depositAccountId' | 'depositReadyAt' | 'debitsStoppedAt' | 'suspendedAt' | 'closedAt';
  /** Refuses the change if the attribute has another value than this practice's. */
  readonly unchanged?: { readonly name: 'depositBank' | 'depositDeadline' | 'platformId'; readonly practice: Practice };
}

export async function updatePractice(
  database: Database,
  practiceId: string,
  { set, requires, unless, unchanged }: PracticeChange,
  entry: AuditEntry,
): Promise<Updated<Practice>> {
  const condition = allOf(
    expression`attribute_exists(practiceId)`,
    requires && expression`attribute_exists(${attribute(requires)})`,
    unless && expression`attribute_not_exists(${attribute(unless)})`,
    unchanged && isStill(unchanged.name, unchanged.practice[unchanged.name]),
  );
  return updateAudited(database, 'practices', { practiceId }, { set, condition }, practice, auditPart(database, entry));
}

/** Refused if the practice is closed. */
export function notClosedPart(database: Database, practiceId: string): Part {
  return check(database, 'practices', { practiceId }, expression`attribute_not_exists(closedAt)`);
}

/** Never moves back. */
export async function recordScrubbedTo(database: Database, practiceId: string, sessionId: string): Promise<void> {
  const condition = expression`attribute_exists(practiceId) AND (attribute_not_exists(scrubbedTo) OR scrubbedTo < ${sessionId})`;
  await update(database, 'practices', { practiceId }, { set: { scrubbedTo: sessionId }, condition }, practice);
}

const practiceKey = z.object({ practiceId: z.string() });

/** Includes practices whose other attributes are invalid. */
export async function readPracticeIds(database: Database): Promise<string[]> {
  return (await scanAll(database, 'practices', practiceKey)).map(({ practiceId }) => practiceId);
}

/** Logs the IDs of invalid rows and returns them separately, so that one of them does not stop the work for all other practices. */
export async function readPractices(database: Database): Promise<{ practices: Practice[]; unreadableIds: string[] }> {
  const practices: Practice[] = [];
  const unreadableIds: string[] = [];
  for (const row of await scanAll(database, 'practices', z.looseObject(practiceKey.shape))) {
    const { success, data, error } = z.safeParse(practice, row);
    if (success) practices.push(data);
    else {
      logFault('practice not readable', error, { practiceId: row.practiceId });
      unreadableIds.push(row.practiceId);
    }
  }
  return { practices, unreadableIds };
}
