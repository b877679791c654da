import { sessionStatuses, transitions } from '../../functions/domain/sessions/transitions.ts';
import { isTerminal } from './is-terminal.ts';

export function stateDiagram(): string {
  const arrows = Object.values(transitions).flatMap(({ from, to, trigger, event }) =>
    from.map((status) => `  ${status} --> ${to}: ${trigger} / ${event}`),
  );
  const ends = sessionStatuses.filter(isTerminal).map((status) => `  ${status} --> [*]`);
  return ['stateDiagram-v2', '  [*] --> pending: practice creates a session', ...arrows, ...ends].join('\n');
}
