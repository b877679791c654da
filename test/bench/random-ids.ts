import { randomBytes, randomUUID } from 'node:crypto';
import { breaksRule, sensitiveRules } from '../../functions/domain/sensitive-data.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { table } from './report.ts';

const count = 1_000_000;
const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A minute apart, so that the part with the time varies too. */
const timeOf = (index: number) => Date.parse('2026-11-20T10:00:00Z') + index * 60_000;

const ids: Readonly<Record<string, (index: number) => string>> = {
  'UUID, version 4': () => randomUUID(),
  'UUID, version 7': (index) => {
    const time = timeOf(index).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(2).slice(1)}-${'89ab'.charAt(index % 4)}${hex(2).slice(1)}-${hex(6)}`;
  },
  ULID: (index) => ulid(timeOf(index), randomBytes),
  ObjectId: (index) => `${Math.floor(timeOf(index) / 1000).toString(16)}${hex(8)}`,
  '16 random digits': () => String(1e15 + Math.floor(Math.random() * 9e15)),
};

/** Counts random IDs that are refused because they look like health or account data. */
export async function benchRandomIds(): Promise<string> {
  const rows = Object.entries(ids).map(([name, idOf]) => {
    let refused = 0;
    for (let index = 0; index < count; index += 1) {
      const id = idOf(index);
      if (sensitiveRules.some((rule) => breaksRule(rule, id, 'key'))) refused += 1;
    }
    return [name, count.toLocaleString('en-US'), refused === 0 ? 'none' : `1 in ${Math.round(count / refused)}`];
  });
  return Promise.resolve(table(['random IDs', 'tried', 'refused as `sensitive_data`'], rows));
}
