/** The operator's command: `npm run -s practice -- --help`. */
import { createInterface, type Interface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { runCommandLine } from './practice/command-line.ts';

const { stdin, stdout, stderr } = process;
// Functions log to stdout, which is reserved for the command's output.
process.env['LOG_LEVEL'] = 'SILENT';
const interruption = new AbortController();
let isInterruptible = false;
// The reader closed the pipe, as `head` does. A command that can be interrupted still cleans up.
stdout.on('error', () => (isInterruptible ? interruption.abort() : process.exit(0)));

let terminalInput: Interface | undefined;
let lines: AsyncIterator<string, undefined> | undefined;

const exitCode = await runCommandLine(process.argv.slice(2), {
  width: stdout.isTTY ? stdout.columns : Infinity,
  style: (format, text) => styleText(format, text, { stream: stdout }),
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => stderr.write(`${line}\n`),
  async ask(question) {
    stderr.write(question);
    // Answers can be piped, one per line.
    terminalInput ??= createInterface({ input: stdin });
    lines ??= terminalInput[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : value;
  },
  onInterrupt() {
    isInterruptible = true;
    // npm forwards the terminal's signal, so it arrives twice.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
    return interruption.signal;
  },
});
terminalInput?.close();
// Exits explicitly: Node would first drop its signal handlers, and npm's second signal would then look like a crash.
stdout.write('', () => process.exit(exitCode));
