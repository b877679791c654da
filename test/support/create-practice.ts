import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { createPractice as create } from '../../functions/practices/create.ts';
import { makeKey } from '../../functions/practices/keys.ts';
import { createApiKey } from '../../functions/store/practices/api-keys.ts';

/** Even a live practice gets a key, whether or not it is ready for live payments. */
export async function createPractice(
  tools: Parameters<typeof create>[0],
  input: Parameters<typeof create>[1],
  now: number,
) {
  const created = await create(tools, input, now);
  if (created.apiKey !== undefined) return { ...created, apiKey: created.apiKey };
  const { practiceId } = created;
  const { apiKey, row } = makeKey(tools, { practiceId, name: 'First key' }, now);
  const { author } = input;
  const entry = newAuditEntry(
    { practiceId, author, action: 'api_key.created', target: row.keyId },
    now,
    tools.randomBytes,
  );
  await createApiKey(tools.database, row, entry);
  return { ...created, apiKey };
}
