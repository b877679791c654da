import type { Problem } from '../../functions/contract/problems.ts';
import { getCheckedEvidence } from '../../functions/sessions/evidence.ts';
import { command, text, type Command } from './command.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { keyCommands } from './key-commands.ts';
import { practiceCommands } from './practice-commands.ts';
import { redriveCommand } from './redrive.ts';

export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...practiceCommands,
    ...keyCommands,
    ...endpointCommands,
    ...deliveryCommands,
    redrive: redriveCommand,
    evidence: command({ session: text }, (stack, { session: sessionId }) => getCheckedEvidence(stack, { sessionId })),
  }),
);

/** What mends a problem on the command line. */
const remedies: Partial<Record<Problem['code'], string>> = {
  contact_required: 'Use --support-phone or --support-email.',
  webhook_endpoint_disabled: 'Use `enable-webhook`.',
  delivery_in_progress: 'The result will be in `deliveries`.',
};

export function describeProblem({ code, message }: Problem): string {
  return [message, remedies[code]].filter(Boolean).join(' ');
}
