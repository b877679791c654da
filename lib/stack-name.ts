import type { StageName } from './stage.ts';

export const stackNames = {
  sandbox: 'PatientInvoicePaymentSandbox',
  production: 'PatientInvoicePaymentProduction',
} as const satisfies Record<StageName, string>;

/** Also of a stack that failed and has no outputs: says whose and which it is. */
export const stackDescriptions = {
  sandbox: 'Patient invoice payment service (sandbox)',
  production: 'Patient invoice payment service (production)',
} as const satisfies Record<StageName, string>;
