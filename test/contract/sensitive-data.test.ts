import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { newKey, newPractice, operatorSettings } from '../../functions/contract/practices/practices.ts';
import { practiceRoutes } from '../../functions/contract/routes.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { newInvitation } from '../../functions/contract/team/dashboard-team.ts';
import { endpointChange, endpointMove, newEndpoint } from '../../functions/contract/webhooks/webhook-endpoints.ts';
import { parseInput } from '../../functions/practices/requirements.ts';
import { faultsOf, readBy } from './sent.ts';

const card = '4242 4242 4242 4242';
const cardUrl = 'https://practice.example/paid?n=4242-4242-4242-4242';
const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
const { createSession, cancelSession, createWebhookEndpoint, changeWebhookEndpoint, listSessions } = practiceRoutes;

describe('every text of a request is checked', () => {
  it.each([
    [createSession, { ...valid, invoiceId: card }, '/invoiceId'],
    [createSession, { ...valid, patient: { firstName: card, lastName: 'Okafor' } }, '/patient/firstName'],
    [createSession, { ...valid, patient: { firstName: 'Ada', lastName: card } }, '/patient/lastName'],
    [createSession, { ...valid, metadata: { [card]: 'x' } }, '/metadata'],
    [createSession, { ...valid, metadata: { note: card } }, '/metadata'],
    [createSession, { ...valid, returnUrl: cardUrl }, '/returnUrl'],
    [createWebhookEndpoint, { url: cardUrl }, '/url'],
    [changeWebhookEndpoint, { url: cardUrl }, '/url'],
  ])('$summary, $description', (route, body, pointer) => {
    const faults = faultsOf(route, { body });
    expect(faults).toMatchObject([{ pointer, code: 'sensitive_data', rule: 'card_number' }]);
    expect(faults[0]?.expected).toMatch(/without health or account data$/);
    expect(JSON.stringify(faults)).not.toContain('4242');
  });

  it.each([
    [createSession, valid],
    [cancelSession, {}],
    [createWebhookEndpoint, { url: 'https://practice.example/hooks' }],
  ])('the idempotency key of $path', (route, body) => {
    expect(faultsOf(route, { headers: { 'idempotency-key': card }, body })).toMatchObject([
      { pointer: 'Idempotency-Key', rule: 'card_number' },
    ]);
  });

  it.each<[z.ZodMiniType<object>, object, string]>([
    [newKey, { name: card }, '/name'],
    [operatorSettings, { name: card }, '/name'],
    [operatorSettings, { supportPhone: '378282246310005' }, '/supportPhone'],
    [operatorSettings, { supportEmail: '4242424242424242@practice.example' }, '/supportEmail'],
    [operatorSettings, { postalAddress: `Lakeside\n${card}` }, '/postalAddress'],
    [operatorSettings, { privacyUrl: cardUrl }, '/privacyUrl'],
    [operatorSettings, { termsUrl: cardUrl }, '/termsUrl'],
    [newPractice, { name: 'Lakeside', webhookUrl: cardUrl }, '/webhookUrl'],
    [newEndpoint, { url: cardUrl }, '/url'],
    [endpointChange, { url: cardUrl }, '/url'],
    [endpointMove, { url: cardUrl }, '/url'],
    [newInvitation, { email: '4242424242424242@practice.example', role: 'admin' }, '/email'],
  ])('what staff and operators type: %#', (schema, input, pointer) => {
    expect(() => parseInput(schema, input)).toThrow(Problem);
    try {
      parseInput(schema, input);
    } catch (error) {
      expect((error as Problem).extra['errors']).toMatchObject([{ pointer, rule: 'card_number' }]);
    }
  });
});

it('every rule that a text breaks is an error of its own', () => {
  const metadata = { 'ssn 123-45-6789': 'x', note: `123-45-6789 ${card}` };
  const faults = faultsOf(createSession, { body: { ...valid, invoiceId: 'E11.9', metadata } });
  expect(faults).toMatchObject([
    {
      pointer: '/invoiceId',
      rule: 'icd_10_code',
      detail: 'This looks like an ICD-10 code. Do not send health or account data.',
    },
    { pointer: '/metadata', index: 0, rule: 'social_security_number' },
    { pointer: '/metadata', index: 1, rule: 'card_number' },
    { pointer: '/metadata', index: 1, rule: 'social_security_number' },
  ]);
});

it('a list may be asked for any invoice', () => {
  expect(readBy(listSessions, { query: { invoiceId: card } }).query).toMatchObject({ invoiceId: card });
});
