import { auditLog } from './audit-log-command.ts';
import type { PracticeCommand } from './command.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { keyCommands } from './key-commands.ts';
import { leavingCommands } from './leaving-commands.ts';
import { listen } from './listen-command.ts';
import { operationCommands } from './operation-commands.ts';
import { practiceCommands } from './practice-commands.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { userCommands } from './user-commands.ts';

/** In the order that the help lists them. */
export const commands: ReadonlyMap<string, PracticeCommand> = new Map(
  Object.entries({
    ...practiceCommands,
    'audit-log': auditLog,
    ...leavingCommands,
    ...keyCommands,
    ...endpointCommands,
    ...deliveryCommands,
    ...userCommands,
    listen,
    ...sandboxCommands,
    ...operationCommands,
  }),
);
