import { AsyncLocalStorage } from 'node:async_hooks';
import { settingVariables } from './contract/environment.ts';
import { type Measurement, metrics, type MetricName } from './contract/metrics.ts';
import { Fault } from './domain/fault.ts';

const traces = new AsyncLocalStorage<string | undefined>();

/** Everything that `act` logs, stores as an event or sends as a ticket names the API request that caused it. */
export function traced<Result>(requestId: string | undefined, act: () => Result): Result {
  return traces.run(requestId, act);
}

/** Undefined for work that no request caused, such as an expiration. */
export function tracedRequest(): string | undefined {
  return traces.getStore();
}

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Log only IDs, codes, counts and durations: never a name, token, key or body. */
export function logInfo(message: string, fields: Fields = {}, measurements: readonly Measurement[] = []): void {
  write('INFO', message, fields, measurements);
}

export function logError(message: string, fields: Fields = {}, measurements: readonly Measurement[] = []): void {
  write('ERROR', message, fields, measurements);
}

/** Logs the message only of a `Fault`: other messages may quote data. */
export function logFault(
  message: string,
  error: unknown,
  fields: Fields = {},
  measurements: readonly Measurement[] = [],
): void {
  const known = error instanceof Error ? error : undefined;
  const place = known?.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .join('\n');
  const errorMessage = known instanceof Fault ? known.message : undefined;
  logError(message, { ...fields, errorName: known?.name ?? typeof error, errorMessage, place }, measurements);
}

/** Rethrows as a `Fault`: Lambda logs a thrown error with all its fields, which may quote a row. */
export function logsItsFaults<Input, Output>(
  handler: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      return await handler(input);
    } catch (error) {
      logFault('invocation failed', error);
      throw error instanceof Fault ? error : new Fault('see the log');
    }
  };
}

function write(level: 'INFO' | 'ERROR', message: string, fields: Fields, measurements: readonly Measurement[]): void {
  if (process.env['LOG_LEVEL'] === 'SILENT') return;
  const now = new Date();
  // Read directly: a missing namespace must not fail a payment.
  const namespace = process.env[settingVariables.metricsNamespace];
  const functionName = process.env['AWS_LAMBDA_FUNCTION_NAME'];
  const all: Measurement[] = [...measurements];
  if (level === 'ERROR' && functionName !== undefined) all.push({ metric: 'LoggedErrors', value: 1, by: functionName });
  const measured = all.length > 0 && namespace !== undefined ? embeddedMetrics(all, namespace, now.getTime()) : {};
  // Do not use `console`: Lambda wraps its output, but keeps JSON lines on stdout as they are.
  process.stdout.write(
    `${JSON.stringify({ timestamp: now.toISOString(), level, message, requestId: tracedRequest(), ...fields, ...measured })}\n`,
  );
}

/** Writes CloudWatch's embedded metric format. The empty dimension set is the total. */
export function embeddedMetrics(
  measurements: readonly Measurement[],
  namespace: string,
  now: number,
): Record<string, unknown> {
  const directives = measurements.map(({ metric }) => {
    const dimension = dimensionOf(metric);
    return {
      Namespace: namespace,
      Dimensions: dimension === undefined ? [[]] : [[], [dimension]],
      Metrics: [{ Name: metric, Unit: metrics[metric].unit }],
    };
  });
  const values = measurements.flatMap(({ metric, value, by }) => {
    const dimension = dimensionOf(metric);
    return dimension === undefined
      ? [[metric, value]]
      : [
          [metric, value],
          [dimension, by],
        ];
  });
  return { _aws: { Timestamp: now, CloudWatchMetrics: directives }, ...Object.fromEntries(values) };
}

function dimensionOf(name: MetricName): string | undefined {
  const metric = metrics[name];
  return 'dimension' in metric ? metric.dimension : undefined;
}
