/**
 * Runs a program until standard input ends: `node end-with-input.ts PROGRAM [ARGUMENT…]`. The system closes that pipe
 * however the parent ends, even by `kill -9`.
 */
import { spawn } from 'node:child_process';

const [, , program = '', ...programArguments] = process.argv;
const child = spawn(program, programArguments, { stdio: 'ignore' });
child.once('error', () => process.exit(1));
child.once('exit', (code) => process.exit(code ?? 1));
process.stdin.once('close', () => child.kill()).resume();
