import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { receiveStripeEventRoute } from '../../../functions/contract/payments/stripe.ts';
import { signedRoute } from '../../../functions/http/route-handler.ts';
import { day, hour, toEpochSeconds } from '../../../functions/domain/time.ts';
import { settlePayment } from '../../../functions/payments/settle.ts';
import type { Ticket } from '../../../functions/messages/queues.ts';
import { signatureChecker, readEvent } from '../../../functions/processors/stripe/event.ts';
import { receiveStripeEvent } from '../../../functions/processors/stripe/receive-event.ts';
import { get } from '../../../functions/store/rows.ts';
import { writeCancellation } from '../../../functions/store/sessions/transitions.ts';
import { dueProcessorEvents, finishProcessorEvent } from '../../../functions/store/payments/processor-events.ts';
import { ticketDuty, sweep } from '../../../functions/sweep/sweep.ts';
import { lambdaContext } from '../../support/http-request.ts';
import { listDue } from '../../support/put-all.ts';
import { startServer } from '../../support/server.ts';
import { sweepTools } from '../../support/tools.ts';
import { startLivePayments } from './live-payments.ts';

const { database, tools, stripe, secret, readSecret, pay, settle } = await startLivePayments();
const { control } = stripe;

const received = { tickets: [] as Ticket[], accounts: [] as string[], queueFails: false, base64: false };

/** A function that has just started. */
function startReceiver() {
  const tools = {
    database,
    checkSignature: signatureChecker(readSecret),
    followAccount: async (account: string) => {
      received.accounts.push(account);
      return true;
    },
    sendSettlements: async (tickets: readonly Ticket[]) => {
      if (received.queueFails) throw new Error('the queue is down');
      received.tickets.push(...tickets);
    },
  };
  return signedRoute(receiveStripeEventRoute, ({ body, headers }, now) =>
    receiveStripeEvent(tools, { body, signature: headers['stripe-signature'] ?? '' }, now),
  );
}
let receiver = startReceiver();

const server = createServer((request, response) => {
  void buffer(request).then(async (bytes) => {
    const event = {
      headers: request.headers,
      rawPath: '/',
      rawQueryString: '',
      body: bytes.toString(received.base64 ? 'base64' : 'utf8'),
      isBase64Encoded: received.base64,
      requestContext: { requestId: 'r', routeKey: 'x', http: { method: 'GET', sourceIp: '192.0.2.7' } },
    };
    const { statusCode, body } = await receiver(event as never, lambdaContext());
    response.writeHead(statusCode).end(body);
  });
});
const url = `http://127.0.0.1:${await startServer(server, afterAll)}/api/processor/stripe`;

beforeEach(() => {
  receiver = startReceiver();
  Object.assign(received, { tickets: [], accounts: [], queueFails: false, base64: false });
});

/** The id of the debit's newest event of a type. */
async function eventOf(debitId: string, type: string): Promise<string> {
  const { events } = await control.read();
  const found = events.findLast((each) => each.type === type && JSON.stringify(each.data).includes(debitId));
  if (!found) throw new Error(`no ${type} of ${debitId}`);
  return found.id;
}

/** Stripe replays its response to a key, which changes every hour. */
const settleLater = (sessionId: string) => settlePayment(tools, { sessionId }, Date.now() + hour);

const dueEvents = () => listDue(dueProcessorEvents(database), Date.now() + 600_000, 100);

/** Before this, Stripe's notifications go nowhere. */
await control.notify({ url, deliver: 'never' });

describe('a notification', () => {
  it.each([
    ['as text', false],
    ['in base64', true],
  ])('%s is stored, due and passed on as a ticket that names no outcome', async (_, base64) => {
    const { sessionId, debitId } = await pay('success');
    await control.settle(debitId, 'success');
    received.base64 = base64;
    const event = await eventOf(debitId, 'payment_intent.succeeded');
    expect(await control.resend(event)).toBe(200);
    const key = { sessionId, processorEventId: event };
    expect(received.tickets).toEqual([{ body: key }]);
    expect(await dueEvents()).toContainEqual(key);
    await finishProcessorEvent(database, key, Date.now());
    expect(await dueEvents()).not.toContainEqual(key);
  });

  it('expires 30 days after it was handled, and not before', async () => {
    const { sessionId, debitId } = await pay('success');
    const processorEventId = await eventOf(debitId, 'payment_intent.processing');
    expect(await control.resend(processorEventId)).toBe(200);
    const key = { sessionId, processorEventId };
    const expiry = z.object({ timeToLive: z.int().optional() });
    expect(await get(database, 'processorEvents', key, expiry)).toEqual({});
    const now = Date.now();
    await finishProcessorEvent(database, key, now);
    expect(await get(database, 'processorEvents', key, expiry)).toEqual({
      timeToLive: toEpochSeconds(now + 30 * day),
    });
  });

  it('about a refund names its debit even without metadata', () => {
    const object = { object: 'refund', id: 're_1', payment_intent: 'pi_1', metadata: null };
    const body = { id: 'evt_1', type: 'refund.failed', account: 'acct_1', data: { object } };
    expect(readEvent(Buffer.from(JSON.stringify(body)))?.debit).toEqual({ debitId: 'pi_1', sessionId: undefined });
  });

  it('that comes again changes nothing, even after it was handled', async () => {
    const { sessionId, debitId } = await pay('success');
    const event = await eventOf(debitId, 'payment_intent.processing');
    expect(await control.resend(event)).toBe(200);
    await finishProcessorEvent(database, { sessionId, processorEventId: event }, Date.now());
    expect(await control.resend(event)).toBe(200);
    expect(received.tickets).toHaveLength(1);
    expect(await dueEvents()).not.toContainEqual({ sessionId, processorEventId: event });
  });

  it('survives a queue outage: the sweep sends its ticket', async () => {
    const { sessionId, debitId } = await pay('success');
    received.queueFails = true;
    const event = await eventOf(debitId, 'payment_intent.processing');
    expect(await control.resend(event)).toBe(200);
    expect(await dueEvents()).toContainEqual({ sessionId, processorEventId: event });
  });

  it('that nobody settled is passed on again by the sweep', async () => {
    const { sessionId, debitId } = await pay('success');
    const event = await eventOf(debitId, 'payment_intent.processing');
    await control.resend(event);
    received.tickets = [];
    const sendSettlements = async (tickets: readonly Ticket[]) => void received.tickets.push(...tickets);
    const settlements = ticketDuty(dueProcessorEvents(database), sendSettlements);
    const sweepAt = (at: number) => sweep(sweepTools(database, { clock: () => at, settlements }));
    await sweepAt(Date.now() + 60_000);
    expect(received.tickets).toEqual([]);
    await sweepAt(Date.now() + 150_000);
    expect(received.tickets).toContainEqual({ body: { sessionId, processorEventId: event } });
  });

  it.each(['wrong_secret', 'old_timestamp', 'changed_body'] as const)('with a forged %s is refused', async (how) => {
    const { debitId } = await pay('success');
    expect(await control.forge(await eventOf(debitId, 'payment_intent.processing'), how)).toBe(400);
    expect(received.tickets).toEqual([]);
  });

  it('from another account is ignored, although Stripe signed it', async () => {
    const { sessionId, debitId } = await pay('success');
    const event = await eventOf(debitId, 'payment_intent.processing');
    expect(await control.forge(event, 'wrong_account')).toBe(200);
    expect(received.tickets).toEqual([]);
    expect((await dueEvents()).filter((key) => key.sessionId === sessionId)).toEqual([]);
  });

  it('of a type or a payment that is not ours is ignored', async () => {
    const { debitId, sessionId, account } = await pay('success');
    expect(await control.resend(await eventOf(debitId, 'payment_intent.created'))).toBe(200);
    let events = 0;
    const other = (object: object) => ({
      id: `evt_${(events += 1)}`,
      type: 'payment_intent.succeeded',
      account,
      data: { object },
    });
    const intent = { object: 'payment_intent', id: 'pi_of_somebody_else' };
    expect(await send(other({ ...intent, metadata: { sessionId } }))).toBe(200);
    expect(await send(other({ ...intent, metadata: {} }))).toBe(200);
    expect(received.tickets, "another payment with our session's ID").toEqual([]);
    expect(await send(other({ ...intent, id: debitId, metadata: { sessionId: 'x'.repeat(3000) } }))).toBe(200);
    expect(received.tickets, 'found by the id of the debit').toEqual([
      { body: { sessionId, processorEventId: 'evt_3' } },
    ]);
    const wrong = { metadata: { sessionId: 'ses_of_somebody_else' } };
    expect(await send(other({ ...intent, id: debitId, ...wrong }))).toBe(200);
    expect(received.tickets.at(-1)).toEqual({ body: { sessionId, processorEventId: 'evt_4' } });
    for (const odd of [[], 'text', { id: 'evt_y', type: 'payment_intent.succeeded', data: null }])
      expect(await send(odd)).toBe(200);
    expect(received.tickets).toHaveLength(2);
  });

  it('about an account makes us look that account up', async () => {
    const { id } = await control.createAccount();
    await control.changeBank(id, '4321');
    for (const type of ['account.updated', 'account.external_account.created'])
      expect(await control.resend(await eventOf(id, type))).toBe(200);
    expect(received).toMatchObject({ accounts: [id, id], tickets: [] });
  });

  it('without a signature, or with nonsense for one, is refused', async () => {
    for (const signature of [undefined, '', 't=1', `t=${now()},v1=`, `t=${now()},v1=zz`, 't=,v1=00', 'v1=00'])
      expect(await post('{}', signature)).toBe(400);
  });
});

describe('signing secrets', () => {
  const [platform, connect] = [stripe.webhookSecret, stripe.connectWebhookSecret];

  it('may be two while one is rotated, and are read again when none matches', async () => {
    const { debitId } = await pay('success');
    const event = await eventOf(debitId, 'payment_intent.processing');
    await control.sign({ platform: [platform], connect: ['whsec_new'] });
    expect(await control.resend(event), 'nobody has told us the new secret').toBe(400);
    receiver = startReceiver();
    secret.connectWebhookSecret = ['whsec_new', connect];
    expect(await control.resend(event), 'the secret is read again').toBe(200);
    await control.sign({ platform: [platform], connect: [connect] });
    expect(await control.resend(event)).toBe(200);
    await control.sign({ platform: [platform], connect: ['whsec_new', connect] });
    secret.connectWebhookSecret = 'whsec_new';
    expect(await control.resend(event), 'Stripe signs with both').toBe(200);
  });

  it('are read again once a minute, not for each forged call', async () => {
    let reads = 0;
    const check = signatureChecker(async () => {
      reads += 1;
      return JSON.stringify(secret);
    });
    const forged = { body: Buffer.from('{}'), signature: signatureOf('{}', 'whsec_of_somebody_else') };
    for (let call = 0; call < 5; call += 1) expect(await check(forged, Date.now())).toBe(false);
    expect(reads).toBe(6);
    await check(forged, Date.now() + 61_000);
    expect(reads).toBe(8);
  });
});

describe('settling after a notification', () => {
  it('asks Stripe, so the order of notifications does not matter', async () => {
    const { sessionId, debitId, current } = await pay('late_return');
    await control.settle(debitId, 'success');
    await control.return(debitId, 'insufficient_funds');
    for (const type of ['charge.dispute.created', 'payment_intent.succeeded', 'payment_intent.processing'])
      expect(await control.resend(await eventOf(debitId, type))).toBe(200);
    expect(received.tickets.map(({ body }) => (body as { sessionId: string }).sessionId)).toEqual([
      sessionId,
      sessionId,
      sessionId,
    ]);
    await settle(sessionId);
    expect(await current()).toMatchObject({
      status: 'succeeded',
      sequence: 3,
      return: { code: 'insufficient_funds' },
    });
    await settle(sessionId);
    expect(await current()).toMatchObject({ sequence: 3 });
  });

  it("fails the payment with the bank's reason", async () => {
    const { sessionId, debitId, current } = await pay('account_closed');
    await control.settle(debitId, 'account_closed');
    await settle(sessionId);
    expect(await current()).toMatchObject({ status: 'failed', failure: { code: 'account_closed' } });
  });

  it('shows a refund, and never as a return', async () => {
    const { sessionId, debitId, current } = await pay('success');
    await control.settle(debitId, 'success');
    await control.refund(debitId, { amount: 5000 });
    expect(await control.resend(await eventOf(debitId, 'charge.refunded'))).toBe(200);
    expect(received.tickets).toHaveLength(1);
    await settle(sessionId);
    expect(await current()).toMatchObject({ status: 'succeeded', sequence: 2, refund: { amountCents: 5000 } });
    expect(await current()).not.toHaveProperty('return');
  });

  it('reverses the transfer of a returned destination charge, once', async () => {
    const { sessionId, debitId, current } = await pay('late_return', 'destination');
    await control.settle(debitId, 'success');
    expect(await control.resend(await eventOf(debitId, 'payment_intent.succeeded')), 'of the platform').toBe(200);
    await settle(sessionId);
    const reversals = async () =>
      (await control.read()).requests.filter(
        ({ operation, input }) => /Revers/.test(operation) && input?.metadata?.['sessionId'] === sessionId,
      );
    expect(await reversals()).toEqual([]);
    await control.return(debitId);
    await Promise.all([settle(sessionId), settle(sessionId)]).catch(() => undefined);
    await settle(sessionId);
    expect(await current()).toMatchObject({ return: { code: 'insufficient_funds' } });
    const { latest_charge: chargeId } = (await control.find(debitId)) as { latest_charge: string };
    const { transfer } = (await control.find(chargeId)) as { transfer: string };
    expect(await control.find(transfer)).toMatchObject({ amount: 18_250, amount_reversed: 18_250 });
    expect((await reversals()).length).toBeLessThan(3);
  });

  it('reverses the transfer when the account has the money again', async () => {
    const { sessionId, debitId, account, current } = await pay('late_return', 'destination');
    await control.settle(debitId, 'success');
    await settle(sessionId);
    await control.payOut(account);
    await control.return(debitId);
    await expect(settle(sessionId), 'the account was paid out').rejects.toMatchObject({ code: 'balance_insufficient' });
    expect(await current(), 'the practice is told all the same').toMatchObject({
      return: { code: 'insufficient_funds' },
    });
    const other = await pay('success', 'destination', account);
    await control.settle(other.debitId, 'success');
    await settleLater(sessionId);
    const { latest_charge: chargeId } = (await control.find(debitId)) as { latest_charge: string };
    const { transfer } = (await control.find(chargeId)) as { transfer: string };
    expect(await control.find(transfer)).toMatchObject({ amount_reversed: 18_250 });
    await settleLater(sessionId);
    expect(await control.find(transfer)).toMatchObject({ amount_reversed: 18_250 });
  });

  it.each(['direct', 'destination'] as const)(
    'alarms when the bank gives a returned %s charge back, and moves nothing',
    async (chargeType) => {
      const { sessionId, debitId, account, current } = await pay('late_return', chargeType);
      await control.settle(debitId, 'success');
      await control.return(debitId);
      await settle(sessionId);
      const before = await current();
      await control.winDispute(debitId);
      expect(await control.resend(await eventOf(debitId, 'charge.dispute.closed'))).toBe(200);
      expect(await settle(sessionId)).toMatchObject({ result: 'illegal_transition', changed: false });
      expect(await current()).toEqual(before);
      expect((await control.balance(account)).cents).toBe(chargeType === 'direct' ? 18_250 - 146 - 400 : 0);
    },
  );

  it('raises an alarm for money for a cancelled session, and changes nothing', async () => {
    const { sessionId, debitId, current } = await pay('success');
    await writeCancellation(database, await current(), Date.now());
    await control.settle(debitId, 'success');
    expect(await settle(sessionId)).toMatchObject({ result: 'money_for_cancelled_session', changed: false });
    expect(await current()).toMatchObject({ status: 'cancelled', sequence: 2 });
  });

  it('leaves a returned direct charge to Stripe', async () => {
    const { sessionId, debitId } = await pay('late_return');
    await control.settle(debitId, 'success');
    await control.return(debitId);
    const before = (await control.read()).requests.filter(({ operation }) => /Revers/.test(operation)).length;
    await settle(sessionId);
    expect((await control.read()).requests.filter(({ operation }) => /Revers/.test(operation))).toHaveLength(before);
  });
});

const now = () => Math.floor(Date.now() / 1000);

function signatureOf(body: string, key: string): string {
  const time = now();
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
}

async function post(body: string, signature: string | undefined): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { 'stripe-signature': signature }),
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

const send = (event: unknown) => {
  const body = JSON.stringify(event);
  return post(body, signatureOf(body, stripe.webhookSecret));
};
