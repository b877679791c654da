import type { TestSignIn } from '../../functions/contract/payments/patient-payment.ts';
import {
  afterBankRefusal,
  isBankRefusal,
  mayHaveSucceeded,
  retryTime,
  type Answer,
  type AnswerWith,
  type BankPickerKeys,
  type PatientApi,
  type Problem,
} from './patient-api.ts';
import {
  checkingTime,
  untilNextQuestion,
  withFreshNotice,
  type BankStep,
  type NoticeName,
  type PageState,
  type SessionPage,
} from './page-state.ts';
import type { BankPicker } from './bank-picker.ts';

export type PatientActions = Pick<
  PaymentPage,
  'connectBank' | 'namePayer' | 'authorizePayment' | 'askForMoreTime' | 'askForNewLink' | 'reload'
>;

interface Surroundings {
  readonly api: PatientApi;
  /** Live only. */
  readonly bankPicker: BankPicker | undefined;
  readonly show: (state: PageState, offline: boolean) => void;
  readonly bankStep: BankStep | undefined;
  readonly now: () => number;
  readonly serverNow: () => number;
  readonly isOnline: () => boolean;
}

/** In milliseconds. A sign-in at a bank can take longer, so a later answer counts, too. */
const pickerPatience = 60_000;

export type PaymentPage = ReturnType<typeof paymentPage>;

export function paymentPage({ api, bankPicker, show, bankStep, now, serverNow, isOnline }: Surroundings) {
  let state: PageState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let visible = true;
  let offline = false;
  let untoldTouch = false;
  let opening = false;
  let stopped = false;
  let polls = 0;
  let checkUntil = 0;
  let callsSent = 0;
  let newestAnswer = 0;
  let copyTo: string | undefined;
  let copy: SessionPage['copy'];
  let pickerOpenings = 0;
  /** Set until the picker answers. Reopening it with these keys does not count as another start. */
  let pickerKeys: BankPickerKeys | undefined;

  const sessionPage = (): SessionPage | undefined => (state?.kind === 'session' ? state : undefined);

  function update(next: PageState): void {
    if (stopped) return;
    state = next.kind === 'session' ? { ...next, copy } : next;
    show(state, offline);
    if (stopped) return;
    schedule();
    if (untoldTouch) void open();
    if (copyTo !== undefined && sessionPage()?.session.receipt) void mailCopy(copyTo);
  }

  async function mailCopy(email: string): Promise<void> {
    copyTo = undefined;
    copy = (await api.mailCopy(email)) ? 'sent' : 'failed';
    if (state) update(state);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!visible) return;
    const wait = untilNextQuestion(state, polls, serverNow());
    if (wait === undefined) return;
    polls++;
    timer = setTimeout(() => void refresh(), wait);
  }

  /** Ignores an answer that is older than the shown one. After the link is replaced, shows nothing more. */
  async function ask<Asked extends AnswerWith<unknown>>(call: () => Promise<Asked>): Promise<Asked | undefined> {
    const number = ++callsSent;
    const answer = await call();
    if (number < newestAnswer) return undefined;
    newestAnswer = number;
    noteConnection(answer.problem?.code !== 'unreachable');
    if (answer.problem?.code !== 'link_not_found') return answer;
    update({ kind: 'unknown_link' });
    return undefined;
  }

  function noteConnection(answered: boolean): void {
    const wasOffline = offline;
    offline = !answered && !isOnline();
    if (state && offline !== wasOffline) show(state, offline);
  }

  async function reload(notice?: NoticeName): Promise<void> {
    const step = state ? state.bankStep : bankStep;
    if (state?.kind === 'unreachable') update({ ...state, busy: true });
    const answer = await ask(api.getSession);
    if (!answer) return;
    if (answer.ok) {
      const { session } = answer;
      const before = sessionPage()?.session ?? session;
      // Finds a connection whose answer was lost.
      const isConnected = !before.bankAccount && session.bankAccount;
      const page: SessionPage = { kind: 'session', session, bankStep: step, busy: false, notice };
      update(withFreshNotice(before, isConnected ? { ...page, bankStep: undefined, notice: undefined } : page));
    } else update({ kind: 'unreachable', bankStep: step, busy: false, ...retryTime(answer.problem) });
  }

  async function refresh(): Promise<void> {
    if (sessionPage()?.notice === 'checking_payment') return checkPayment();
    if (state?.kind === 'unreachable') return reload();
    if (!sessionPage() || (sessionPage()?.busy && !isPicking())) return;
    if (!showNewer(await ask(api.getSession))) schedule();
  }

  function showNewer(answer: Answer | undefined): boolean {
    const page = sessionPage();
    if (!answer?.ok || !page) return false;
    update(withFreshNotice(page.session, { ...page, session: answer.session }));
    return true;
  }

  /** Polls the server until its state shows whether it got the payment. */
  function lookForPayment(page: SessionPage): Promise<void> {
    update({ ...page, busy: true, notice: 'checking_payment' });
    checkUntil = now() + checkingTime;
    return checkPayment();
  }

  async function checkPayment(): Promise<void> {
    if (now() >= checkUntil) {
      polls = 0;
      return reload('payment_not_seen');
    }
    const answer = await ask(api.getSession);
    const page = sessionPage();
    if (page?.notice !== 'checking_payment') return;
    if (!answer?.ok || (answer.session.status === 'pending' && !answer.session.blockedBy)) return schedule();
    polls = 0;
    endAction({ ...page, session: answer.session });
  }

  async function open(): Promise<void> {
    const session = sessionPage()?.session;
    if (opening || !session) return;
    untoldTouch = false;
    // A link that cannot be paid yet keeps its full lifetime.
    if (session.status !== 'pending' || session.openedAt || session.blockedBy) return;
    opening = true;
    const answer = await ask(api.openSession);
    opening = false;
    // An action sent by the same tap may have been answered first.
    const isOvertaken = !answer && sessionPage()?.session.openedAt === undefined;
    showNewer(isOvertaken ? await ask(api.getSession) : answer);
  }

  /** Possible even while the bank picker is open. */
  async function extend(): Promise<void> {
    const before = sessionPage()?.session.expiresAt;
    const answer = await ask(api.extendSession);
    // If it was refused or its answer was lost, another request may have extended the session.
    if (!showNewer(answer)) showNewer(await ask(api.getSession));
    const page = sessionPage();
    if (!page || page.busy || page.session.status !== 'pending') return;
    update({ ...page, notice: page.session.expiresAt === before ? answer?.problem?.code : undefined });
  }

  async function askForNewLink(): Promise<void> {
    const before = begin();
    if (!before) return;
    const answer = await ask(api.requestLink);
    if (answer?.ok) return endAction({ ...before, session: { ...before.session, linkRequest: 'made' } });
    await reload();
    const page = sessionPage();
    // Whether or not the answer was lost, the server knows whether the practice was told.
    if (page?.session.linkRequest === 'possible') endAction(page, answer?.problem?.code);
  }

  const isPicking = () => builtForMode === 'live' && pickerKeys && sessionPage()?.notice === 'picking_bank';

  function begin(notice?: NoticeName): SessionPage | undefined {
    const page = sessionPage();
    if (!page || page.busy) return undefined;
    const begun = { ...page, busy: true, notice };
    update(begun);
    return begun;
  }

  function endAction(page: SessionPage, notice?: NoticeName): void {
    update({ ...page, busy: false, notice });
  }

  async function act(call: () => Promise<Answer>, whenUnclear?: (page: SessionPage) => Promise<void>): Promise<void> {
    const before = begin();
    if (before) await finish(before, call, whenUnclear);
  }

  async function finish(
    before: SessionPage,
    call: () => Promise<Answer>,
    whenUnclear?: (page: SessionPage) => Promise<void>,
  ): Promise<void> {
    const answer = await ask(call);
    if (state?.kind === 'unknown_link') return;
    const page = sessionPage() ?? before;
    if (answer?.ok) return endAction({ ...page, session: answer.session, bankStep: undefined });
    const problem = answer?.problem;
    if (whenUnclear && mayHaveSucceeded(problem)) return whenUnclear(page);
    return refuse(page, problem);
  }

  async function refuse(before: SessionPage, problem: Problem | undefined): Promise<void> {
    if (problem && isBankRefusal(problem))
      return endAction({ ...before, session: afterBankRefusal(before.session, problem) }, problem.code);
    await reload(problem?.code);
    // The answer to a later call can overtake the reload's, which is then dropped.
    const page = sessionPage();
    if (page?.busy) endAction(page, problem?.code);
  }

  /** Live only: the sandbox's bundle leaves it out. */
  const pickBank =
    builtForMode === 'live' && bankPicker
      ? async () => {
          const before = begin('picking_bank');
          if (!before) return;
          const known = pickerKeys && ({ ok: true, keys: pickerKeys } as const);
          const [started, loaded] = await Promise.all([known ?? ask(api.startBankConnection), bankPicker.load()]);
          if (state?.kind === 'unknown_link') return;
          if (!started?.ok) return refuse(sessionPage() ?? before, started?.problem);
          pickerKeys = started.keys;
          const end = (notice: NoticeName) => {
            const page = sessionPage();
            if (page?.session.status === 'pending') endAction(page, notice);
          };
          if (!loaded) return end('picker_unavailable');
          const opening = ++pickerOpenings;
          schedule();
          const silence = setTimeout(() => isPicking() && end('picker_silent'), pickerPatience);
          const picked = await bankPicker.open(started.keys);
          clearTimeout(silence);
          // If the picker was reopened, only a bank counts.
          if (pickerKeys !== started.keys || (picked !== 'picked' && opening !== pickerOpenings)) return;
          const page = sessionPage();
          const isOvertaken = page?.busy && !isPicking();
          pickerKeys = undefined;
          if (page?.session.status !== 'pending' || isOvertaken) return;
          if (picked !== 'picked') return end(picked);
          if (!page.busy) update({ ...page, busy: true, notice: 'picking_bank' });
          return finish(page, () => api.connectBank());
        }
      : undefined;

  return {
    reload: () => reload(),
    connectBank: (signIn: TestSignIn) => act(() => api.connectBank(signIn)),
    /** Live only: connects the account that the patient picks. */
    pickBank: async () => pickBank?.(),
    /** False if the name was not accepted. */
    async namePayer(payerName: string) {
      const before = begin();
      if (!before) return false;
      await finish(before, () => api.namePayer(payerName));
      const page = sessionPage();
      if (!page || page.notice) return false;
      if (page.session.authorization?.id !== before.session.authorization?.id) endAction(page, 'authorization_changed');
      return true;
    },
    /** `email`: where to mail a copy once the payment is authorized. */
    authorizePayment(authorizationId: string, email?: string) {
      copyTo = email;
      return act(() => api.authorizePayment(authorizationId), lookForPayment);
    },
    askForMoreTime: extend,
    askForNewLink,
    showBankStep(step: BankStep | undefined) {
      const page = sessionPage();
      if (page) update({ ...page, bankStep: step, notice: page.busy ? page.notice : undefined });
      else if (state?.kind === 'unreachable') update({ ...state, bankStep: step });
    },
    /** Call it when the patient does something, which link scanners never do. */
    touched() {
      untoldTouch = true;
      void open();
    },
    setVisible(nowVisible: boolean) {
      visible = nowVisible;
      polls = 0;
      checkUntil = now() + checkingTime;
      schedule();
      if (visible) void refresh();
    },
    /** Stops all updates and requests. */
    stop() {
      stopped = true;
      state = undefined;
      clearTimeout(timer);
    },
    connectionChanged() {
      // A hidden page asks when it becomes visible.
      if (!visible) return;
      if (state?.kind !== 'unreachable') void refresh();
      else if (isOnline()) void reload();
      else noteConnection(false);
    },
  };
}
