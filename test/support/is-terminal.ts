import { transitions, type SessionStatus } from '../../functions/domain/sessions/transitions.ts';

interface Step {
  readonly from: readonly SessionStatus[];
  readonly to: SessionStatus;
}

export function isTerminal(status: SessionStatus): boolean {
  return !Object.values<Step>(transitions).some(({ from, to }) => from.includes(status) && to !== status);
}
