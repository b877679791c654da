import { commands } from '../../bin/practice/commands.ts';
import type { OperatedStack } from '../../bin/practice/stack.ts';

export async function runCommand<Answer = Record<string, unknown>>(
  operated: OperatedStack,
  name: string,
  typed: Record<string, string> = {},
): Promise<Answer> {
  const answer = await commands.get(name)?.run(operated, typed, Date.now());
  return JSON.parse(JSON.stringify(answer)) as Answer;
}
