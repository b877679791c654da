import { expect, test } from 'vitest';
import { readDeployCommand } from '../../../lib/deploy/command-line.ts';

const none = {};

test('settings are read as cdk takes them', async () => {
  const args = ['--require-approval', 'never', '-c', 'mailFrom=pay@example.com', '--context', 'region=eu-central-1'];
  expect(await readDeployCommand([...args, '--context=protect=false', '--profile', 'clinic'], none)).toMatchObject({
    settings: { mailFrom: 'pay@example.com', protect: false, stage: { name: 'sandbox' } },
    region: 'eu-central-1',
    profile: 'clinic',
  });
});

test("without -c region, the region is the shell's", async () => {
  expect(await readDeployCommand([], { AWS_REGION: 'us-west-2' })).toMatchObject({ region: 'us-west-2' });
  expect(await readDeployCommand([], { AWS_DEFAULT_REGION: 'us-west-2' })).toMatchObject({ region: 'us-west-2' });
  expect((await readDeployCommand([], none)).region).toBeUndefined();
});

test('a value may contain an equals sign', async () => {
  const url = 'https://git.example.com/operate.md?at=main';
  expect((await readDeployCommand(['-c', `runbookUrl=${url}`], none)).settings.runbook).toBe(url);
});

test('a wrong setting is told as cdk tells it', async () => {
  await expect(readDeployCommand(['-c', 'stage=production'], none)).rejects.toThrow(
    'Production needs -c stripeSecret=',
  );
  await expect(readDeployCommand(['-c', 'protect=no'], none)).rejects.toThrow('-c protect must be true or false');
});

test('a setting that does not exist is refused, except those of CDK itself', async () => {
  await expect(readDeployCommand(['-c', 'chargetype=destination', '-c', 'reserved=true'], none)).rejects.toThrow(
    'There is no setting -c chargetype: see web/docs/operate.md.\nThere is no setting -c reserved:',
  );
  await readDeployCommand(['-c', '@aws-cdk/core:bootstrapQualifier=clinic', '-c', 'chargeType=destination'], none);
});
