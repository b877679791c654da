import { Logger } from '@aws-lambda-powertools/logger';

/** Structured log lines. Only ids, codes, counts and durations: never a name, token, key, credential or body. */
export const logger = new Logger({ serviceName: 'patient-invoice-payment' });

/** Logs a fault of ours by its name and place; its message may quote data, so only errors that we threw ourselves show it. */
export function logFault(message: string, error: unknown, ids: Record<string, string | number> = {}): void {
  const known = error instanceof Error;
  logger.error(message, { ...ids, errorName: known ? error.name : typeof error, stack: known ? error.stack?.split('\n').slice(1, 6).join('\n') : undefined });
}
