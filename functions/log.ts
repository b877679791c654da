import { settingVariables } from './contract/environment.ts';
import type { Measurement } from './contract/metrics.ts';
import { Fault } from './domain/fault.ts';
import { embeddedMetrics } from './metrics.ts';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

function write(level: 'INFO' | 'ERROR', message: string, fields: Fields, measurements: readonly Measurement[]): void {
  if (process.env['LOG_LEVEL'] === 'SILENT') return;
  const now = new Date();
  // Every function is told its namespace; where it is not, no payment fails over a metric.
  const namespace = process.env[settingVariables.metricsNamespace];
  const measured =
    measurements.length > 0 && namespace !== undefined ? embeddedMetrics(measurements, namespace, now.getTime()) : {};
  // Straight to the stream: Lambda passes JSON lines on as they are, and wraps what goes through `console`.
  process.stdout.write(`${JSON.stringify({ timestamp: now.toISOString(), level, message, ...fields, ...measured })}\n`);
}

/** Logs that something happened: only ids, codes, counts and durations, never a name, token, key, credential or body. */
export function logInfo(message: string, fields: Fields = {}, measurements: readonly Measurement[] = []): void {
  write('INFO', message, fields, measurements);
}

/** Logs what somebody has to see to, by the same rule. */
export function logError(message: string, fields: Fields = {}, measurements: readonly Measurement[] = []): void {
  write('ERROR', message, fields, measurements);
}

/** Logs a fault by its name and place. Its message may quote data, so only our own faults show it. */
export function logFault(message: string, error: unknown, fields: Fields = {}): void {
  const known = error instanceof Error ? error : undefined;
  const place = known?.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .join('\n');
  logError(message, {
    ...fields,
    errorName: known?.name ?? typeof error,
    errorMessage: known instanceof Fault ? known.message : undefined,
    place,
  });
}

/**
 * Keeps the faults of a handler to ourselves: Lambda logs what a handler throws with its message and all its fields, which may
 * quote a row. They are logged here by their name and place, and Lambda is told only that there was one.
 */
export function logsItsFaults<Input, Output>(
  handler: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      return await handler(input);
    } catch (error) {
      logFault('invocation failed', error);
      throw error instanceof Fault ? error : new Fault('the fault is in the log');
    }
  };
}
