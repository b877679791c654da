/** Ends a program when stdin closes, as it does even after `kill -9` of the parent. */
import { spawn } from 'node:child_process';

const [, , program = '', ...programArguments] = process.argv;
const child = spawn(program, programArguments, { stdio: ['ignore', 'ignore', 'pipe'] });
// The parent reads it. Once the parent is gone, nothing does.
process.stdout.on('error', () => {});
child.stderr.pipe(process.stdout);
child.once('error', () => process.exit(1));
child.once('exit', (code) => process.exit(code ?? 1));
process.stdin.once('close', () => child.kill()).resume();
