import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { BankStep, PageState, SessionPage } from '../../web/hosted-page/page-state.ts';
import type { Picked } from '../../web/hosted-page/bank-picker.ts';
import type { Answer, AnswerWith, BankPickerKeys, PatientApi, Problem } from '../../web/hosted-page/patient-api.ts';
import { paymentPage, type PaymentPage } from '../../web/hosted-page/payment-page.ts';

type Reply = SessionView | Problem;

interface PageInFakeTime {
  page: PaymentPage;
  session: SessionView | undefined;
  answers: Partial<Record<keyof PatientApi, () => Reply | Promise<Reply>>>;
  /** What the patient does in the bank picker. */
  pick: () => Promise<Picked>;
  scriptLoads: boolean;
  online: boolean;
  serverAhead: number;
  load(session: SessionView | undefined, options?: { bankStep?: BankStep }): Promise<void>;
  pass(milliseconds: number): Promise<void>;
  shown(): PageState;
  shownSession(): SessionPage;
  isShownOffline(): boolean;
  callsOf(name: keyof PatientApi): readonly number[];
}

export const unreachable: Problem = { code: 'unreachable' };

const pick = () => Promise.resolve('picked' as const);

export function usePageInFakeTime(): PageInFakeTime {
  const start = Date.parse('2026-11-20T15:00:00Z');
  let calls: { readonly name: keyof PatientApi; readonly at: number }[];
  let screen: { readonly state: PageState; readonly offline: boolean } | undefined;

  async function answer(name: keyof PatientApi): Promise<Answer> {
    calls.push({ name, at: Date.now() - start });
    const reply = (await on.answers[name]?.()) ?? on.session ?? { code: 'link_not_found' };
    if ('code' in reply) return { ok: false, problem: reply };
    on.session = reply;
    return { ok: true, session: reply };
  }

  async function startConnection(): Promise<AnswerWith<{ readonly keys: BankPickerKeys }>> {
    const answered = await answer('startBankConnection');
    return answered.ok ? { ok: true, keys: { publishableKey: 'pk_live_1', clientSecret: 'secret' } } : answered;
  }

  async function requestLink(): Promise<AnswerWith<unknown>> {
    const answered = await answer('requestLink');
    return answered.ok ? { ok: true } : answered;
  }

  const startPage = (bankStep?: BankStep) =>
    paymentPage({
      api: {
        getSession: () => answer('getSession'),
        openSession: () => answer('openSession'),
        extendSession: () => answer('extendSession'),
        requestLink,
        startBankConnection: startConnection,
        connectBank: () => answer('connectBank'),
        namePayer: () => answer('namePayer'),
        mailCopy: async () => (await answer('mailCopy')).ok,
        authorizePayment: () => answer('authorizePayment'),
      },
      bankPicker: { load: async () => on.scriptLoads, open: () => on.pick() },
      show: (state, offline) => (screen = { state, offline }),
      bankStep,
      now: Date.now,
      serverNow: () => Date.now() + on.serverAhead,
      isOnline: () => on.online,
    });

  beforeEach(() => {
    vi.useFakeTimers({ now: start });
    calls = [];
    screen = undefined;
    Object.assign(on, {
      page: startPage(),
      session: undefined,
      answers: {},
      pick,
      scriptLoads: true,
      online: true,
      serverAhead: 0,
    });
  });
  afterEach(() => vi.useRealTimers());

  const on: PageInFakeTime = {
    page: startPage(),
    session: undefined,
    answers: {},
    pick,
    scriptLoads: true,
    online: true,
    serverAhead: 0,
    async load(session, { bankStep }: { bankStep?: BankStep } = {}) {
      on.session = session;
      on.page = startPage(bankStep);
      await on.page.reload();
    },
    pass: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    shown: () => screen?.state ?? expect.fail('The screen is empty.'),
    shownSession() {
      const state = on.shown();
      return state.kind === 'session' ? state : expect.fail(`The screen shows ${state.kind}.`);
    },
    isShownOffline: () => screen?.offline ?? expect.fail('The screen is empty.'),
    callsOf: (name) => calls.filter((call) => call.name === name).map(({ at }) => at),
  };
  return on;
}
