import { randomBytes } from 'node:crypto';
import type { Mode } from '../../functions/domain/mode.ts';
import type { PutFile } from '../../functions/messages/practices/page-files.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { author } from '../support/create-practice.ts';
import type { Tables } from '../support/tables.ts';

export function practiceTools({ database }: Tables, mode: Mode = 'sandbox') {
  const files: Parameters<PutFile>[0][] = [];
  const putFile: PutFile = async (file) => void files.push(file);
  return { database, mode, randomBytes, allowLoopbackWebhooks: false, putFile, files };
}

export async function aPractice(tables: Tables, settings: Partial<Parameters<typeof createPractice>[1]> = {}) {
  const tools = practiceTools(tables);
  const created = await createPractice(tools, { author, name: 'Lakeside Family Practice', ...settings }, Date.now());
  return { tools, created, practiceId: created.practiceId };
}
