import { Problem } from '../contract/problem.ts';
import type { Practice } from '../domain/practices/practice.ts';
import type { Database } from '../store/database.ts';
import { getPractice } from '../store/practices/practices.ts';

/** Throws a Problem if there is no such practice. */
export async function requirePractice(database: Database<'practices'>, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw practiceNotFound();
  return found;
}

export function practiceNotFound(): Problem {
  return new Problem('practice_not_found', 'There is no practice with this id. Check the id.');
}
