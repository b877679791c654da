import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const pythonPackage = resolve(import.meta.dirname, '../../web/client-python');

/** If true, the tests of the Python client and of the Python samples cannot run here. */
export const noPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status !== 0;

/** Makes the package importable as if it were installed. */
export const pythonEnvironment = { PYTHONPATH: pythonPackage, PYTHONDONTWRITEBYTECODE: '1' };

/** Global setup. */
export default function tellSkipped(): void {
  if (noPython) console.log('Skipping the tests that need Python 3.10 or later: there is no such `python3`.');
}
