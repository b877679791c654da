import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { regionOf, regionPrefix, shellRegion } from '../../../lib/deploy/region.ts';

const directory = await mkdtemp(join(tmpdir(), 'region-'));
const config = join(directory, 'config');
await writeFile(config, '[default]\noutput = json\n[profile clinic]\nregion = eu-central-1\n');
beforeEach(() => {
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_PROFILE', undefined);
  vi.stubEnv('AWS_CONFIG_FILE', config);
});
afterAll(() => rm(directory, { recursive: true }));

test('the region of a deploy is the one given, else that of the profile, else us-east-1 as in CDK', async () => {
  expect(await regionOf({ region: 'us-west-2', profile: 'clinic' })).toBe('us-west-2');
  expect(await regionOf({ region: undefined, profile: 'clinic' })).toBe('eu-central-1');
  expect(await regionOf({ region: undefined, profile: undefined })).toBe('us-east-1');
});

test("the region of the operator's command is the shell's in either variable, else the profile's, else none", async () => {
  expect(await shellRegion({ AWS_REGION: 'us-west-1', AWS_DEFAULT_REGION: 'us-west-2' })).toBe('us-west-1');
  expect(await shellRegion({ AWS_DEFAULT_REGION: 'us-west-2' })).toBe('us-west-2');
  expect(await shellRegion({})).toBeUndefined();
  vi.stubEnv('AWS_PROFILE', 'clinic');
  expect(await shellRegion({})).toBe('eu-central-1');
});

test("a command to copy names the region unless it is the shell's", async () => {
  expect(await regionPrefix('us-west-1', { AWS_REGION: 'us-west-1' })).toBe('');
  expect(await regionPrefix('us-west-1', { AWS_REGION: 'us-west-2' })).toBe('AWS_REGION=us-west-1 ');
  expect(await regionPrefix('us-east-1', {}), 'CDK takes us-east-1 where the shell has none').toBe(
    'AWS_REGION=us-east-1 ',
  );
});
