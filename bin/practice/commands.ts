import { getCheckedEvidence } from '../../functions/sessions/evidence.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { command, id, text, type Command } from './command.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { keyCommands } from './key-commands.ts';
import { practiceCommands } from './practice-commands.ts';
import { simulateCommands } from './simulate-commands.ts';
import { userCommands } from './user-commands.ts';

export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...practiceCommands,
    ...keyCommands,
    ...endpointCommands,
    ...deliveryCommands,
    ...userCommands,
    ...simulateCommands,
    redrive: command({ queue: text }, redrive),
    evidence: command({ session: id }, (stack, { session: sessionId }) => getCheckedEvidence(stack, { sessionId })),
  }),
);
