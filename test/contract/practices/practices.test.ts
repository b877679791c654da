import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { keyRotation, newKey, newPractice, practiceSettings } from '../../../functions/contract/practices/practices.ts';
import { since } from '../../../functions/contract/text.ts';
import { endpointChange, newEndpoint, secretRotation } from '../../../functions/contract/webhooks/webhook-endpoints.ts';

const cases = (schema: z.core.$ZodType, table: Record<string, readonly unknown[]>, base: object = {}) =>
  Object.entries(table).flatMap(([field, values]) =>
    values.map((value) => ({ schema, title: `${field}: ${JSON.stringify(value)}`, body: { ...base, [field]: value } })),
  );

const key = { name: 'billing' };
const endpoint = { url: 'https://hooks.example.com/' };

describe('accepted', () => {
  test.each([
    ...cases(practiceSettings, {
      name: ['Lakeside Family Practice', 'Clínica Río', 'کلینیک\u200cها', 'x'.repeat(200)],
      sessionLifetimeSeconds: [60, 86_400],
      linkLifetimeDays: [1, 365],
      supportPhone: ['+1 555 010 0100', '(555) 010-0100', '+1 555 010 0100 ext. 12', '5550100'],
      supportEmail: ['billing@lakeside.example'],
      postalAddress: ['120 Lakeside Drive', 'Clínica Río\n2 Main St\nSuite 4\nSpringfield, IL 62701', 'x'.repeat(200)],
      privacyUrl: ['https://lakeside.example/privacy?lang=en#top', `https://lakeside.example/${'x'.repeat(475)}`],
      termsUrl: ['https://xn--clnica-3va.example/'],
      primaryColor: ['#0f766e', '#ABCDEF'],
      extensions: [true, false],
      invoiceGuard: [true, false],
      retentionMonths: [1, 84],
    }),
    ...cases(
      newKey,
      { name: ['Facturación (north)', 'x'.repeat(200)], scopes: [['sessions:read']], expiresInDays: [1, 3650] },
      key,
    ),
    ...cases(newEndpoint, { eventTypes: [['session.payment.failed']], retryPolicy: ['standard', 'all'] }, endpoint),
    ...cases(endpointChange, { url: ['https://new.example.com/'], eventTypes: [['session.payment.failed']] }),
    ...cases(
      newPractice,
      { webhookUrl: ['https://hooks.example.com/'], linkLifetimeDays: [365] },
      { name: 'Lakeside' },
    ),
    ...cases(keyRotation, { end: ['now', '1h', '24h', '7d'] }),
    ...cases(secretRotation, { keepOldHours: [0, 168] }),
    { schema: practiceSettings, title: 'no change', body: {} },
  ])('$title', ({ schema, body }) => {
    expect(z.safeParse(schema, body)).toMatchObject({ success: true, data: body });
  });
});

describe('pasted', () => {
  test.each([
    { schema: practiceSettings, body: { name: 'Lake\u2066side\u200b' }, read: { name: 'Lakeside' } },
    {
      schema: practiceSettings,
      body: { postalAddress: '\u202a120 Lake\u00adside\ufeff\n\u200b\nSuite 4' },
      read: { postalAddress: '120 Lakeside\nSuite 4' },
    },
    {
      schema: practiceSettings,
      body: { supportPhone: '\u202a+1\u00a0555\u00a0010\u20110100\u202c' },
      read: { supportPhone: '+1 555 010-0100' },
    },
    { schema: newKey, body: { name: '\u200fbilling' }, read: { name: 'billing' } },
  ])('$body is read without invisible characters', ({ schema, body, read }) => {
    expect(z.safeParse(schema, body)).toMatchObject({ success: true, data: read });
  });
});

describe('refused', () => {
  test.each([
    ...cases(practiceSettings, {
      name: [
        '',
        '   ',
        '\u00a0\u200d',
        'Lakeside\nFamily',
        'Lake\u0000side',
        '\u202eedisekaL',
        'Lake\u2028side',
        'x'.repeat(201),
      ],
      sessionLifetimeSeconds: [59, 86_401, 60.5, '60'],
      linkLifetimeDays: [0, 366],
      supportPhone: ['', '555', 'call us', '(((((((', '(555 010 0100', '5'.repeat(16)],
      supportEmail: ['', 'billing'],
      postalAddress: ['', ' \n ', '1\n2\n3\n4\n5', 'x'.repeat(201), 'Lake\u2028side', '120 Lakeside\t\u202eDrive', 120],
      privacyUrl: [
        '',
        'lakeside.example/privacy',
        'http://lakeside.example/privacy',
        'https://localhost/privacy',
        'https://.example/',
        'https://user@lakeside.example/',
        'https://clínica.example/',
        'https://lakeside.example/my privacy',
        `https://lakeside.example/${'x'.repeat(476)}`,
      ],
      termsUrl: ['javascript:alert(1)', 'https:lakeside.example'],
      primaryColor: ['red', '#12345', '#12345g', '#1234567'],
      extensions: ['on', 1],
      invoiceGuard: ['on'],
      retentionMonths: [0, 85, 1.5],
      testBankPassword: ['mine'],
    }),
    ...cases(
      newKey,
      {
        name: ['', ' ', 'x'.repeat(201), 'billing\nFrom: 192.0.2.7', 'billing\u2028', 'gnillib\u202e', '\u0000'],
        scopes: [[], ['everything']],
        expiresInDays: [0, 3651],
      },
      key,
    ),
    ...cases(
      newEndpoint,
      { url: ['', 'x'.repeat(501)], eventTypes: [[], ['all'], 'all'], retryPolicy: ['never'] },
      endpoint,
    ),
    ...cases(endpointChange, { eventTypes: [[], 'all', ['everything']], status: ['enabled'] }),
    ...cases(
      newPractice,
      { name: [undefined, ''], webhookUrl: ['', 'x'.repeat(501)], linkLifetimeDays: [366] },
      { name: 'Lakeside' },
    ),
    ...cases(keyRotation, { end: ['2h', ''] }),
    ...cases(secretRotation, { keepOldHours: [-1, 169, 0.5] }),
  ])('$title', ({ schema, body }) => {
    expect(z.safeParse(schema, body).success).toBe(false);
  });
});

it('trims the lines of an address and drops blank ones', () => {
  const postalAddress = '  120 Lakeside Drive \r\n\r\n\u00a0\u200d\n Springfield, IL 62701\n';
  expect(practiceSettings.parse({ postalAddress })).toEqual({
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
  });
});

it.each(['supportPhone', 'supportEmail', 'postalAddress', 'privacyUrl', 'termsUrl'])('lets %s be removed', (field) => {
  expect(practiceSettings.safeParse({ [field]: null }).success).toBe(true);
  expect(newPractice.safeParse({ name: 'Lakeside', [field]: null }).success).toBe(false);
});

it('a change to all event types', () => {
  const eventTypes = ['session.payment.failed', 'all'];
  expect(endpointChange.parse({ eventTypes })).toEqual({ eventTypes: 'all' });
});

describe('a date', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T15:00:00Z', '2026-11-20T15:00:00.000Z'],
    ['2026-11-20T15:00:00+02:00', '2026-11-20T13:00:00.000Z'],
  ])('like %s is a time in milliseconds', (date, time) => {
    expect(since.parse(date)).toBe(Date.parse(time));
  });

  it.each(['', '0', 'yesterday', '2026', '2026-13-01', '20 November 2026'])('is not %j', (date) => {
    expect(since.safeParse(date).success).toBe(false);
  });
});
