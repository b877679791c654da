import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPlatform, joinPlatform, leavePlatform, updatePlatform } from '../../functions/practices/platforms.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { applicationFee } from '../../functions/domain/payments/debit.ts';
import { practice } from '../../functions/domain/practices/practice.ts';
import { update } from '../../functions/store/rows.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { now } from '../payments/a-payment.ts';
import { aPractice } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { tools, practiceId } = await aPractice(tables);
const patient = { firstName: 'Ada', lastName: 'Okafor' };

async function create(mode: 'sandbox' | 'live', amountCents: number) {
  const input = { practiceId, body: { invoiceId: 'INV-1', amountCents, patient } };
  return createSession({ ...tools, mode, hostedPageUrl: 'https://pay.example' }, input, now);
}

it.each([
  ['sandbox', 1],
  ['live', 50],
] as const)('the %s takes amounts from %i on', async (mode, amountCents) => {
  expect((await create(mode, amountCents)).response).toMatchObject({ status: 'pending', amountCents });
});

it.each([1, 49])(
  'production refuses %i, which the processor would not debit, and says what it takes',
  async (cents) => {
    expect(await problemOf(create('live', cents))).toMatchObject({
      code: 'invalid_request',
      extra: {
        errors: [
          {
            pointer: '/amountCents',
            code: 'out_of_range',
            detail: 'Use at least 50: the processor debits no less.',
            expected: 'integer',
            minimum: 50,
            maximum: 99_999_999,
          },
        ],
      },
    });
  },
);

it("a session keeps the operator's fee of its day, and one that the fee would use up is refused", async () => {
  const { practiceId: owner } = await aPractice(tables);
  const charge = (terms: object) =>
    update(tables.database, 'practices', { practiceId: owner }, { set: terms }, practice);
  const order = (amountCents: number, idempotencyKey?: string) => {
    const input = { practiceId: owner, body: { invoiceId: 'INV-1', amountCents, patient }, idempotencyKey };
    return createSession({ ...tools, mode: 'live', hostedPageUrl: 'https://pay.example' }, input, now);
  };
  const { response: free } = await order(18_250);
  const earlier = await order(61, 'earlier');
  await charge({ applicationFeeCents: 60, applicationFeeBasisPoints: 100 });
  const { response: charged } = await order(18_250);
  expect(await getExistingSession(tables.database, free.sessionId)).not.toHaveProperty('fee');
  expect(await getExistingSession(tables.database, charged.sessionId)).toHaveProperty('fee', 243);
  expect(await problemOf(order(61))).toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/amountCents', detail: "Use at least 62: the operator's fee would be 61 cents." }] },
  });
  expect((await order(62)).response).toMatchObject({ status: 'pending' });
  expect(await order(61, 'earlier')).toEqual({ ...earlier, replayed: true });
});

it("the fee is the practice's own, else its platform's, and none of new sessions once the practice has left", async () => {
  const { tools: own, practiceId: owner } = await aPractice(tables);
  const { platformId } = await createPlatform(own, { name: 'Harbor Software', author }, now);
  let last = '';
  const feeOf = async (amountCents = 18_250) => {
    const input = { practiceId: owner, body: { invoiceId: 'INV-1', amountCents, patient } };
    const { response } = await createSession(
      { ...tools, mode: 'live', hostedPageUrl: 'https://pay.example' },
      input,
      now,
    );
    last = response.sessionId;
    return (await getExistingSession(tables.database, last)).fee;
  };
  const set = (terms: object) => updateSettings(own, { practiceId: owner, author, ...terms }, now);
  await joinPlatform(own, { practiceId: owner, platformId, author }, now);
  expect(await feeOf()).toBeUndefined();
  await updatePlatform(own, { platformId, author, applicationFeeCents: 60, applicationFeeBasisPoints: 100 }, now);
  expect(await feeOf()).toBe(243);
  expect(await problemOf(feeOf(61))).toMatchObject({
    extra: { errors: [{ pointer: '/amountCents', detail: "Use at least 62: the operator's fee would be 61 cents." }] },
  });
  expect(await feeOf(62)).toBe(61);
  await set({ applicationFeeBasisPoints: 50 });
  expect(await feeOf()).toBe(91);
  await set({ applicationFeeCents: 0, applicationFeeBasisPoints: null });
  expect(await feeOf()).toBeUndefined();
  await set({ applicationFeeCents: null });
  expect(await feeOf()).toBe(243);
  const before = last;
  await leavePlatform(own, { practiceId: owner, author }, now);
  expect(await feeOf()).toBeUndefined();
  expect(await getExistingSession(tables.database, before)).toMatchObject({ fee: 243 });
});

it("a lost row of the practice's platform does not mean that there is no fee", async () => {
  const { practiceId: owner } = await aPractice(tables);
  await update(tables.database, 'practices', { practiceId: owner }, { set: { platformId: 'plt_lost' } }, practice);
  const creating = createSession(
    { ...tools, mode: 'live', hostedPageUrl: 'https://pay.example' },
    { practiceId: owner, body: { invoiceId: 'INV-1', amountCents: 18_250, patient } },
    now,
  );
  await expect(creating).rejects.toThrow('platform plt_lost is missing');
});

it.each([
  [{ cents: 30, basisPoints: 0 }, 18_250, 30],
  [{ cents: 0, basisPoints: 100 }, 18_250, 183],
  [{ cents: 0, basisPoints: 100 }, 18_249, 182],
  [{ cents: 30, basisPoints: 5_000 }, 99_999_999, 50_000_030],
])('a fee of %j of %i cents is %i cents, rounded half up', (terms, amountCents, fee) => {
  expect(applicationFee(terms, amountCents)).toBe(fee);
});

it('a session has the language, the address to return to and the mode of its request', async () => {
  const stored = async (mode: 'sandbox' | 'live', optional: object = {}) => {
    const input = { practiceId, body: { invoiceId: 'INV-1', amountCents: 100, patient, ...optional } };
    const { response } = await createSession({ ...tools, mode, hostedPageUrl: 'https://pay.example' }, input, now);
    return getExistingSession(tables.database, response.sessionId);
  };
  const asked = { locale: 'es', returnUrl: 'https://lakeside.example/paid' } as const;
  expect(await stored('live', asked)).toMatchObject({ ...asked, livemode: true });
  const plain = await stored('sandbox');
  expect(plain).toMatchObject({ livemode: false });
  for (const name of Object.keys(asked)) expect(plain).not.toHaveProperty(name);
});

it('a session names the key that created it, if one did', async () => {
  const body = { invoiceId: 'INV-1', amountCents: 100, patient };
  const create = async (apiKeyId?: string) => {
    const asked = { ...tools, mode: 'sandbox', hostedPageUrl: 'https://pay.example' } as const;
    const { response } = await createSession(asked, { practiceId, body, apiKeyId }, now);
    return getExistingSession(tables.database, response.sessionId);
  };
  expect(await create('key_1')).toMatchObject({ via: 'key_1' });
  expect(await create()).not.toHaveProperty('via');
});

it.each([
  ['without a language', undefined, /^https:\/\/pay\.example\/s\/[\w-]+$/],
  ['in Spanish', 'es', /^https:\/\/pay\.example\/s\/[\w-]+\?lang=es$/],
] as const)('the link of a session %s says so, or nothing', async (_, locale, link) => {
  const body = { invoiceId: 'INV-1', amountCents: 100, patient, ...(locale && { locale }) };
  const asked = { ...tools, mode: 'sandbox', hostedPageUrl: 'https://pay.example' } as const;
  expect((await createSession(asked, { practiceId, body }, now)).response.hostedUrl).toMatch(link);
});

it('a request is the same if only the order of its metadata differs, and another one if anything else does', async () => {
  const idempotencyKey = randomUUID();
  const body = { invoiceId: 'INV-1', amountCents: 100, patient, metadata: { a: '1', b: '2', c: '3' } };
  const send = (differences: object = {}) =>
    createSession(
      { ...tools, mode: 'sandbox', hostedPageUrl: 'https://pay.example' },
      { practiceId, body: { ...body, ...differences }, idempotencyKey },
      now,
    );
  const first = await send();
  expect(first.replayed).toBe(false);
  expect(await send({ metadata: { c: '3', a: '1', b: '2' } })).toEqual({ ...first, replayed: true });
  for (const other of [
    { invoiceId: 'INV-2' },
    { amountCents: 101 },
    { patient: { ...patient, firstName: 'Eva' } },
    { patient: { ...patient, lastName: 'Okafo' } },
    { metadata: { a: '1', b: '2' } },
    { metadata: { a: '1', b: '2', c: '4' } },
    { locale: 'es' },
    { returnUrl: 'https://lakeside.example/paid' },
  ])
    expect(await problemOf(send(other)), JSON.stringify(other)).toMatchObject({ code: 'idempotency_key_reused' });
});

it.each([
  ['closedAt', 'practice_closed'],
  ['suspendedAt', 'practice_suspended'],
] as const)(
  'a practice with %s creates none; a suspended one still gets the answer to an earlier request',
  async (name, code) => {
    const { practiceId: stopping } = await aPractice(tables);
    const send = (idempotencyKey?: string) =>
      createSession(
        { ...tools, mode: 'sandbox', hostedPageUrl: 'https://pay.example' },
        { practiceId: stopping, body: { invoiceId: 'INV-1', amountCents: 100, patient }, idempotencyKey },
        now,
      );
    const before = await send('before');
    await update(
      tables.database,
      'practices',
      { practiceId: stopping },
      { set: { [name]: new Date(now).toISOString() } },
      practice,
    );
    expect(await problemOf(send())).toMatchObject({ code });
    expect(await problemOf(send('after'))).toMatchObject({ code });
    if (name === 'suspendedAt') expect(await send('before')).toEqual({ ...before, replayed: true });
    else expect(await problemOf(send('before'))).toMatchObject({ code });
  },
);
