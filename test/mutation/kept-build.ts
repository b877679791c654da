import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Global setup: these tests read only the tables from the build, so a build is kept until a commit changes `lib`. */
export default function setup(project: TestProject): void {
  const tree = execFileSync('git', ['rev-parse', 'HEAD:lib'], { encoding: 'utf8' }).trim();
  // A sandbox has a link to the repository's packages.
  const built = join(realpathSync('node_modules'), '..', '.cache/stryker/built', tree);
  // Left by a run that was stopped.
  rmSync(join(built, 'lock'), { recursive: true, force: true });
  project.provide('built', built);
}
