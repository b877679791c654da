import type { StageName } from './stage.ts';

export const stackNames = {
  sandbox: 'PatientInvoicePaymentSandbox',
  production: 'PatientInvoicePaymentProduction',
} as const satisfies Record<StageName, string>;

/** Identifies our stacks, even a failed one that has no outputs. */
export const stackDescriptions = {
  sandbox: 'Patient invoice payment service (sandbox)',
  production: 'Patient invoice payment service (production)',
} as const satisfies Record<StageName, string>;
