import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, createOptions, list, show, update, updateOptions } from '../../bin/practice/practice-commands.ts';
import { createdSession } from '../../functions/contract/practice-api.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

async function newSession(apiKey: string) {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } }),
  });
  return createdSession.parse(await response.json());
}

describe("a practice's settings", () => {
  it('can be changed, count for the sessions that come after, and keep what was not named', async () => {
    const { practiceId, apiKey } = await create(
      service.operated,
      { name: 'Before', 'support-phone': '+1 555 010 0100' },
      Date.now(),
    );
    const updated = await update(service.operated, {
      practice: practiceId,
      name: 'After',
      'link-lifetime-days': 1,
      'session-lifetime-seconds': 600,
      'invoice-guard': 'off',
    });
    expect(updated).toMatchObject({
      practiceId,
      name: 'After',
      linkLifetimeDays: 1,
      sessionLifetimeSeconds: 600,
      invoiceGuard: false,
      supportPhone: '+1 555 010 0100',
    });
    expect(await show(service.operated, { practice: practiceId })).toEqual(updated);

    const session = await newSession(apiKey);
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000);
    const { body } = await service.patient(session.hostedUrl)('POST', '/open');
    expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['openedAt']))).toBe(600_000);
    expect(body['practice']).toMatchObject({ name: 'After' });
  });

  it('are shown without any secret, of one practice and of all', async () => {
    const { practices } = await list(service.operated);
    expect(practices.map(({ practiceId }) => practiceId)).toContain(service.practice.practiceId);
    expect(JSON.stringify(practices)).not.toContain(service.practice.password);
  });

  it('have a name that is one line which says something and turns nothing around', () => {
    const taken = (name: string) => [
      createOptions.safeParse({ name }).success,
      updateOptions.safeParse({ practice: 'prc_1', name }).success,
    ];
    for (const name of ['Lakeside Family Practice', 'Clínica Río', 'کلینیک\u200cها', 'x'.repeat(200)])
      expect(taken(name), name).toEqual([true, true]);
    for (const name of [
      '',
      '   ',
      '\u00a0\u200d',
      'Lakeside\nFamily',
      'Lake\u0000side',
      '\u202eedisekaL',
      'Lake\u2066side',
      'Lake\u200bside',
      'Lake\u2028side',
      'x'.repeat(201),
    ]) {
      expect(taken(name), JSON.stringify(name)).toEqual([false, false]);
    }
  });

  it('of a practice that does not exist are told so', async () => {
    await expect(update(service.operated, { practice: 'prc_none', name: 'x' })).rejects.toThrow('no practice');
    await expect(show(service.operated, { practice: 'prc_none' })).rejects.toThrow('no practice');
  });
});
