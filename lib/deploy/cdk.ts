import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs the CDK CLI; returns its exit code. */
export async function cdk(args: readonly string[]): Promise<number> {
  const child = spawn('cdk', args, { stdio: 'inherit' });
  const [exitCode]: unknown[] = await once(child, 'exit');
  return typeof exitCode === 'number' ? exitCode : 1;
}
