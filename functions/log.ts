import { ServiceFault } from './domain/fault.ts';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

function write(level: 'INFO' | 'ERROR', message: string, fields: Fields): void {
  if (process.env['LOG_LEVEL'] === 'SILENT') return;
  // Straight to the stream: Lambda passes JSON lines on as they are, and wraps what goes through `console`.
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...fields })}\n`);
}

/** Logs that something happened: only ids, codes, counts and durations, never a name, token, key, credential or body. */
export function logInfo(message: string, fields: Fields = {}): void {
  write('INFO', message, fields);
}

/** Logs a fault by its name and place. Its message may quote data, so only our own faults show it. */
export function logFault(message: string, error: unknown, fields: Fields = {}): void {
  const known = error instanceof Error ? error : undefined;
  const place = known?.stack?.split('\n').filter((line) => /^\s+at /.test(line)).slice(0, 5).join('\n');
  write('ERROR', message, { ...fields, errorName: known?.name ?? typeof error, errorMessage: known instanceof ServiceFault ? known.message : undefined, place });
}
