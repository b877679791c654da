/** The operator's command: `npm run -s practice -- --help`. */
import { runCommandLine } from './practice/command-line.ts';

const { stdout, stderr, exitCode } = await runCommandLine(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
