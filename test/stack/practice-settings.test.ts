import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPractice, getSettings, updateSettings } from '../../functions/practices/settings.ts';
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
  it('apply to sessions that are created after a change', async () => {
    const { practiceId, apiKey } = await createPractice(
      service.operated,
      { name: 'Before', supportPhone: '+1 555 010 0100' },
      Date.now(),
    );
    const updated = await updateSettings(service.operated, {
      practiceId,
      name: 'After',
      linkLifetimeDays: 1,
      sessionLifetimeSeconds: 600,
      invoiceGuard: false,
    });
    expect(updated).toMatchObject({
      practiceId,
      name: 'After',
      linkLifetimeDays: 1,
      sessionLifetimeSeconds: 600,
      invoiceGuard: false,
      supportPhone: '+1 555 010 0100',
    });
    expect(await getSettings(service.operated, { practiceId })).toEqual(updated);

    const session = await newSession(apiKey);
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000);
    const { body } = await service.patient(session.hostedUrl)('POST', '/open');
    expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['openedAt']))).toBe(600_000);
    expect(body['practice']).toMatchObject({ name: 'After' });
  });
});
