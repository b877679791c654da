import type { Mode } from '../functions/domain/mode.ts';

/** How one deployment of the service is set. */
export interface Stage {
  readonly name: StageName;
  /** Which API keys it accepts, and whether live money moves. */
  readonly mode: Mode;
  /** Whether webhooks may go to the machine that runs the functions: a laptop, never an AWS account. */
  readonly allowLoopbackWebhooks: boolean;
}

export type StageName = 'sandbox' | 'production';

const modes = { sandbox: 'sandbox', production: 'live' } as const satisfies Record<StageName, Stage['mode']>;

function isStageName(name: string): name is StageName {
  return Object.hasOwn(modes, name);
}

/** The settings of a stage. Throws for a stage that does not exist, and for a production stage on this machine. */
export function stageOf(name: string, { local = false } = {}): Stage {
  if (!isStageName(name))
    throw new Error(`There is no stage "${name}". Choose -c stage=sandbox or -c stage=production.`);
  if (local && name !== 'sandbox')
    throw new Error(
      'Only the sandbox stage runs locally: a local stack sends webhooks to loopback addresses, which production never may.',
    );
  return { name, mode: modes[name], allowLoopbackWebhooks: local };
}
