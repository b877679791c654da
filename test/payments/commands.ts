import type * as fc from 'fast-check';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { linkLifetime, type Expected, type Model } from './model.ts';
import { carry, type Service } from './service.ts';
import { verify, type Real } from './verify.ts';

type Act = (model: Model, real: Real, expected: Expected, sessionId: string) => Promise<void>;

function about(index: number, name: string, act: Act): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => index < model.sessions.length,
    async run(model, real) {
      const [expected, sessionId] = [model.sessions[index], real.ids[index]];
      if (!expected || sessionId === undefined) throw new Error('no such session');
      await act(model, real, expected, sessionId);
      await carryEvents(real);
      await verify(model, real);
    },
    toString: () => `${name} ${index}`,
  };
}

async function carryEvents({ service, ids }: Real): Promise<void> {
  const events = (await Promise.all(ids.map((sessionId) => service.events(sessionId)))).flat();
  await Promise.all(
    events.filter(({ dueShard }) => dueShard !== undefined).map(({ eventId }) => service.dispatch(eventId)),
  );
}

/** Of parallel calls, one that starts after another has withdrawn the cancellation may submit the debit. */
async function submitAfterWithdrawal(model: Model, service: Service, expected: Expected, id: string): Promise<void> {
  const { debit } = await service.session(id);
  if (debit) model.submit(expected);
}

export const create: fc.AsyncCommand<Model, Real> = {
  check: (model) => model.sessions.length < 2,
  async run(model, real) {
    real.ids.push(await real.service.create('INV-1043'));
    const expiresAt = model.now + linkLifetime;
    model.sessions.push({
      status: 'pending',
      expiresAt,
      dueAt: expiresAt,
      outcomeAt: undefined,
      opened: false,
      extensions: 0,
      attempts: 0,
      cancelRequested: false,
      voided: false,
      returned: false,
      refunds: [],
      refunded: { given: 0, pending: 0, failed: 0 },
      released: false,
      events: [],
    });
    await verify(model, real);
  },
  toString: () => 'create',
};
export const open = (index: number) =>
  about(index, 'open', async (model, { service }, expected, id) => {
    model.open(expected);
    await service.open(id);
  });
export const extend = (index: number, times: number) =>
  about(index, `extend ${times} times`, async (model, { service }, expected, id) => {
    model.extend(expected);
    await Promise.all(Array.from({ length: times }, () => service.extend(id)));
  });
export const requestLink = (index: number, times: number) =>
  about(index, `request a link ${times} times`, async (model, { service }, expected, id) => {
    model.requestLink(expected);
    await Promise.all(Array.from({ length: times }, () => service.requestLink(id)));
  });
export const connectBank = (index: number, user: SandboxUser) =>
  about(index, `connect ${user}`, async (model, { service }, expected, id) => {
    model.connect(expected, user);
    await service.connectBank(id, user);
  });
export const namePayer = (index: number) =>
  about(index, 'name the payer', async (_model, { service }, _expected, id) => {
    await service.namePayer(id, 'Grace Okafor');
  });
export const replaceLink = (index: number) =>
  about(index, 'replace the link', async (model, { service }, expected, id) => {
    model.replaceLink(expected);
    await service.replaceLink(id);
  });
export const authorize = (index: number, times: number) =>
  about(index, `authorize ${times} times`, async (model, { service }, expected, id) => {
    model.authorize(expected);
    await Promise.all(Array.from({ length: times }, () => service.authorize(id)));
  });
export const cancel = (index: number, bankIsSilent: boolean) =>
  about(index, bankIsSilent ? 'cancel in silence' : 'cancel', async (model, { service }, expected, id) => {
    model.cancel(expected, bankIsSilent);
    await service.cancel(id, bankIsSilent ? { voidDebit: async () => ({ result: 'unknown' }) } : {});
  });
export const submit = (index: number, times: number) =>
  about(index, `submit ${times} times`, async (model, { service }, expected, id) => {
    await Promise.all(Array.from({ length: times }, () => service.submit(id)));
    model.submit(expected);
    if (times > 1) await submitAfterWithdrawal(model, service, expected, id);
  });
export const submitAndCancel = (index: number) =>
  about(index, 'submit and cancel', async (model, { service }, expected, id) => {
    await Promise.all([service.submit(id), service.cancel(id)]);
    const { debit, status } = await service.session(id);
    const submissionCameFirst = !expected.cancelRequested && (debit !== undefined || status === 'failed');
    if (submissionCameFirst) model.submit(expected);
    model.cancel(expected, false);
    await submitAfterWithdrawal(model, service, expected, id);
  });
export const settle = (index: number, times: number) =>
  about(index, `settle ${times} times`, async (model, { service }, expected, id) => {
    model.settle(expected);
    await Promise.all(Array.from({ length: times }, () => service.settle(id)));
    // These were its tickets, so no sweep finds them.
    const { settlements } = service.traffic;
    const later = settlements.filter(({ sessionId, at }) => sessionId !== id || at > service.clock.now);
    settlements.splice(0, settlements.length, ...later);
  });
export const refund = (index: number, cents: number) =>
  about(index, `refund ${cents} cents`, async (model, { service }, expected, id) => {
    model.refund(expected, cents);
    await service.refund(id, cents);
  });
/** The bank sends the last refund back, even one that has arrived. The sandbox's bank never does. */
export const failRefund = (index: number): fc.AsyncCommand<Model, Real> => {
  const command = about(index, 'fail the last refund', async (model, { service }, expected, id) => {
    model.failRefund(expected);
    await service.bank.failRefund?.(service.database, id);
  });
  return { ...command, check: (model) => !model.isSandbox && command.check(model) };
};
/** Runs only in the sandbox. */
const inSandbox = (command: fc.AsyncCommand<Model, Real>): fc.AsyncCommand<Model, Real> => ({
  ...command,
  check: (model) => model.isSandbox && command.check(model),
});
export const simulate = (index: number, user: SandboxUser) =>
  inSandbox(
    about(index, `simulate ${user}`, async (model, { service }, expected, id) => {
      model.simulate(expected, user);
      await service.simulate(id, user);
    }),
  );
export const simulateExpiry = (index: number) =>
  inSandbox(
    about(index, 'simulate expire', async (model, { service }, expected, id) => {
      model.simulateExpiry(expected);
      await service.simulate(id, 'expire');
    }),
  );
/** All callers have read the same session. */
export const advance = (index: number, times: number) =>
  inSandbox(
    about(index, `advance ${times} times`, async (model, { service }, expected, id) => {
      const seen = await service.session(id);
      await Promise.all(Array.from({ length: times }, () => service.advance(seen)));
      model.advance(expected);
      if (times > 1) await submitAfterWithdrawal(model, service, expected, id);
    }),
  );
export const sweep: fc.AsyncCommand<Model, Real> = {
  check: () => true,
  async run(model, real) {
    model.sweep();
    await real.service.sweep();
    await carry(real.service);
    await carryEvents(real);
    await verify(model, real);
  },
  toString: () => 'sweep',
};
export const wait = (milliseconds: number): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  async run(model, real) {
    real.service.clock.now = model.now += milliseconds;
    await verify(model, real);
  },
  toString: () => `wait ${milliseconds}`,
});
