import type { Mode } from '../../functions/domain/mode.ts';

export interface Stage {
  readonly name: StageName;
  readonly mode: Mode;
  /** True only on a laptop, never in an AWS account: `cdk` has no setting for it. */
  readonly allowLoopbackWebhooks: boolean;
}

export type StageName = 'sandbox' | 'production';

const modes = { sandbox: 'sandbox', production: 'live' } as const satisfies Record<StageName, Stage['mode']>;

export function stageOf(name: string, { local = false } = {}): Stage {
  if (!isStageName(name)) throw new Error(`Unknown stage "${name}". Use -c stage=sandbox or -c stage=production.`);
  return { name, mode: modes[name], allowLoopbackWebhooks: local };
}

function isStageName(name: string): name is StageName {
  return Object.hasOwn(modes, name);
}

export const stackNames = {
  sandbox: 'PatientInvoicePaymentSandbox',
  production: 'PatientInvoicePaymentProduction',
} as const satisfies Record<StageName, string>;

/** Identifies our stacks, even a failed one that has no outputs. */
export const stackDescriptions = {
  sandbox: 'Patient invoice payment service (sandbox)',
  production: 'Patient invoice payment service (production)',
} as const satisfies Record<StageName, string>;
