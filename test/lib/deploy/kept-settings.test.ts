import { describe, expect, test } from 'vitest';
import { keptSettings, lostSettings } from '../../../lib/deploy/kept-settings.ts';
import { settingsOf } from '../../../lib/settings/settings.ts';

const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/0a1b2c3d`;
const oidcIssuer = 'https://login.example.com';
const required = {
  stage: 'production',
  domain: 'pay.example.com',
  certificate: certificate('us-east-1'),
  stripeSecret: 'payments/stripe',
  alarmEmail: 'oncall@example.com',
  securityContact: 'mailto:security@example.com',
  operatorName: 'Harbor Payments, Inc.',
  operatorEmail: 'help@harbor.example',
};
const optional = {
  dashboardDomain: 'practice.example.com',
  apiDomain: 'api.example.com',
  webAcl: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/pages/0a1b2c3d',
  mailFrom: 'payments@example.com',
  oidcIssuer,
  reserve: 'true',
  shift: 'canary',
  backupVault: 'arn:aws:backup:us-west-2:123456789012:backup-vault:payments',
  monthlyBudget: '500',
};
const parts = {
  dashboardCertificate: certificate('us-east-1'),
  apiCertificate: certificate('eu-central-1'),
  oidcClientId: 'dashboard',
};
const everything = { ...required, ...optional, ...parts, chargeType: 'destination' };

const read = (given: Readonly<Record<string, string>>) => settingsOf((key) => given[key], 'eu-central-1');

function lost(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const OutputValue = JSON.stringify(keptSettings(read(before)));
  return lostSettings({ Outputs: [{ OutputKey: 'Settings', OutputValue }] }, read(after));
}

const namesIn = (lines: readonly string[]) => lines.map((line) => /^-c (\w+) /.exec(line)?.[1]);

describe('a deploy over a stack with every setting', () => {
  test('may repeat them', () => {
    expect(lost(everything, everything)).toEqual([]);
  });

  test('may not leave them out', () => {
    expect(namesIn(lost(everything, required)).sort()).toEqual([...Object.keys(optional), 'chargeType'].sort());
  });

  test.each(Object.keys(optional).filter((key) => key !== 'oidcIssuer'))(
    'may drop %s by none, with what belongs to it',
    (key) => {
      expect(lost(everything, { ...everything, [key]: 'none' })).toEqual([]);
      expect(Object.keys(keptSettings(read({ ...everything, [key]: 'none' }))).sort()).toEqual(
        Object.keys(keptSettings(read(everything)))
          .filter((name) => name !== key)
          .sort(),
      );
    },
  );

  test('may move the API to another domain', () => {
    expect(lost(everything, { ...everything, apiDomain: 'payments.example.com' })).toEqual([]);
  });
});

test.each([
  [{ chargeType: 'destination' }, {}, 'chargeType is direct, and the stack has destination'],
  [{}, { chargeType: 'destination' }, 'chargeType is destination, and the stack has direct'],
  [{}, { oidcIssuer, oidcClientId: 'dashboard' }, `oidcIssuer is ${oidcIssuer}, and the stack has none`],
  [
    { oidcIssuer, oidcClientId: 'dashboard' },
    { oidcIssuer: 'none' },
    `oidcIssuer is none, and the stack has ${oidcIssuer}`,
  ],
])('who signs in and whose charge a payment is do not change: %j, then %j', (before, after, expected) => {
  const [line, ...others] = lost({ ...required, ...before }, { ...required, ...after });
  expect(others).toEqual([]);
  expect(line).toContain(expected);
  expect(line).toContain('npx cdk deploy');
});

test('a sandbox has no type of charge to keep', () => {
  expect(lost({}, { chargeType: 'destination' })).toEqual([]);
});
