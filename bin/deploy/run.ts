import { readDeployCommand } from '../../lib/deploy/command-line.ts';
import { regionOf } from '../../lib/deploy/region.ts';
import type { Settings } from '../../lib/settings/settings.ts';

interface OfSettings {
  readonly settings: Settings;
  /** The options as they were given. */
  readonly options: readonly string[];
  readonly place: { readonly region: string; readonly profile?: string };
}

/** Runs a program that takes the options of `cdk deploy`, and ends it with the code that `run` returns. */
export async function runDeployCommand(run: (command: OfSettings) => Promise<number>): Promise<void> {
  const options = process.argv.slice(2);
  try {
    const { settings, ...shell } = await readDeployCommand(options, process.env);
    const place = { region: await regionOf(shell), ...(shell.profile && { profile: shell.profile }) };
    process.exitCode = await run({ settings, options, place });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
