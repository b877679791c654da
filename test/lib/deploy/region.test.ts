import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { regionOf } from '../../../lib/deploy/region.ts';

const directory = await mkdtemp(join(tmpdir(), 'region-'));
const config = join(directory, 'config');
await writeFile(config, '[default]\noutput = json\n[profile clinic]\nregion = eu-central-1\n');
afterAll(() => {
  vi.unstubAllEnvs();
  return rm(directory, { recursive: true });
});

test('the region of a deploy is the one given, else that of the profile, else us-east-1 as in CDK', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_PROFILE', undefined);
  vi.stubEnv('AWS_CONFIG_FILE', config);
  expect(await regionOf({ region: 'us-west-2', profile: 'clinic' })).toBe('us-west-2');
  expect(await regionOf({ region: undefined, profile: 'clinic' })).toBe('eu-central-1');
  expect(await regionOf({ region: undefined, profile: undefined })).toBe('us-east-1');
});
