/** What `-c` and `cdk.json` provide. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

export const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-1111-2222-333344445555';
export const webAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/pages/473e64fd-f30b-4765-81a0-62ad96dd167a';
export const runbookUrl = 'https://git.example.com/payments/blob/main/web/docs/runbook.md';

/** The settings that production requires. */
export const needed = {
  stage: 'production',
  domain: 'pay.example.com',
  certificate,
  stripeSecret: 'payments/stripe',
  alarmEmail: 'oncall@example.com',
  securityContact: 'mailto:security@example.com',
  operatorName: 'Harbor Payments, Inc.',
  operatorEmail: 'help@harbor.example',
} as const;

/** Every setting that adds something. */
const full = {
  ...needed,
  dashboardDomain: 'dashboard.example.com',
  dashboardCertificate: certificate,
  apiDomain: 'api.example.com',
  apiCertificate: certificate,
  mailFrom: 'payments@example.com',
  runbookUrl,
  reserve: 'true',
  shift: 'canary',
  backupVault: 'arn:aws:backup:us-west-2:210987654321:backup-vault:payments',
  monthlyBudget: '500',
} as const;

/** The apps that tests look at. A synthesis takes seconds, so there are few. */
export const apps = {
  'app-sandbox': { stage: 'sandbox' },
  'app-production': full,
  'app-without-options': { ...full, shift: 'none', backupVault: 'none', monthlyBudget: 'none' },
  // The other choice for each setting that has one.
  'app-of-others': {
    ...needed,
    region: 'eu-central-1',
    dashboardDomain: 'practice.example.com',
    dashboardCertificate: certificate,
    apiDomain: 'api.example.com',
    apiCertificate: certificate.replace('us-east-1', 'eu-central-1'),
    webAcl,
    oidcIssuer: 'https://login.example.com',
    oidcClientId: 'dashboard',
    mailFrom: 'payments@example.com',
    runbookUrl,
    shift: 'allAtOnce',
    '@aws-cdk/core:bootstrapQualifier': 'clinic',
    // The same as in cdk.json.
    originSecret: 2,
    protect: false,
  },
} as const satisfies Record<string, Settings>;
export type AppName = keyof typeof apps;
export const appNames = Object.keys(apps) as AppName[];
