/** The operator's command: `npm run -s practice -- --help`. */
import { createInterface, type Interface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { runCommandLine } from './practice/command-line.ts';

const { stdin, stdout, stderr } = process;
// Functions log to stdout, which is for the command's answer.
process.env['LOG_LEVEL'] = 'SILENT';
// A reader that has enough, such as `head`.
stdout.on('error', () => process.exit(0));

let terminalInput: Interface | undefined;
let lines: AsyncIterator<string, undefined> | undefined;

const exitCode = await runCommandLine(process.argv.slice(2), {
  width: stdout.isTTY ? stdout.columns : Infinity,
  style: (format, text) => styleText(format, text, { stream: stdout }),
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => stderr.write(`${line}\n`),
  async ask(question) {
    stderr.write(question);
    // Answers can be piped, one a line.
    terminalInput ??= createInterface({ input: stdin });
    lines ??= terminalInput[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : value;
  },
  onInterrupt() {
    const interruption = new AbortController();
    // npm passes on the terminal's signal, so it comes twice.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
    return interruption.signal;
  },
});
terminalInput?.close();
// Node drops its signal handlers before it ends by itself; npm's second signal would then count as a crash.
stdout.write('', () => process.exit(exitCode));
