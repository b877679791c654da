import type { SessionView } from '../../functions/contract/patient-api.ts';
import { checkingTime, pollDelay, untilNextQuestion } from './next-question.ts';
import type { Answer, PatientApi, Problem, ProblemName } from './patient-api.ts';

/** What the patient should know of the last action: why it was refused, or that nobody knows yet what became of the payment. */
export type NoticeName = ProblemName | 'checking_payment' | 'payment_not_seen';

/** A session on the screen. The server's view decides; the rest is what the patient is just doing. */
export interface SessionPage {
  readonly kind: 'session';
  readonly session: SessionView;
  /** The patient asked for the bank's sign-in, one step deeper in the page. */
  readonly signingIn: boolean;
  /** An action of the patient is under way. */
  readonly busy: boolean;
  readonly notice: NoticeName | undefined;
}

/** Nobody knows how the session stands. */
export interface UnreachablePage {
  readonly kind: 'unreachable';
  readonly signingIn: boolean;
  /** The page is trying again. */
  readonly busy: boolean;
  /** Milliseconds until it does so by itself at the earliest, where the answer was that too much is asked or broken just now. */
  readonly triesAgainIn?: number;
}

export type PageState = SessionPage | UnreachablePage | { readonly kind: 'unknown_link' };

/** What a patient can do; each resolves once its outcome is on the screen. */
export interface PatientActions {
  connectBank(credentials: { readonly username: string; readonly password: string }): Promise<void>;
  authorizePayment(authorizationId: string): Promise<void>;
  /** Asks the server again and shows what it says. */
  reload(): Promise<void>;
}

export interface PaymentPage extends PatientActions {
  /** Goes to the bank's sign-in or leaves it, as the address says. */
  showSignIn(signingIn: boolean): void;
  /** Tells the server of the patient's first touch of the page: scanners that follow links touch nothing. */
  touched(): void;
  /** Asks nothing while nobody looks at the page, and asks at once when somebody does again. */
  setVisible(visible: boolean): void;
  /** What the server said cannot be shown. */
  failed(): void;
  /** The browser says that it went online or offline; whether that is so shows when the server is asked. */
  connectionChanged(): void;
}

interface Surroundings {
  readonly api: PatientApi;
  /** `offline`: the last call had no answer, and the browser knows why. */
  readonly show: (state: PageState, offline: boolean) => void;
  /** Whether the page was loaded at the bank's sign-in. */
  readonly signingIn: boolean;
  /** Milliseconds since some time that stays the same. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the server's clock. */
  readonly serverNow: () => number;
  readonly isOnline: () => boolean;
}

/** The behavior of the page, without its looks: what is asked when, and what is shown after each answer. */
export function paymentPage({ api, show, signingIn, now, serverNow, isOnline }: Surroundings): PaymentPage {
  let state: PageState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let visible = true;
  let offline = false;
  let untoldTouch = false;
  let opening = false;
  let polls = 0;
  let checkUntil = 0;
  let callsSent = 0;
  let newestAnswer = 0;

  const sessionPage = (): SessionPage | undefined => (state?.kind === 'session' ? state : undefined);

  function update(next: PageState): void {
    state = next;
    show(next, offline);
    schedule();
    if (untoldTouch) void open();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!visible) return;
    const page = sessionPage();
    const wait = page ? untilNextQuestion(page, polls++, serverNow()) : untilNextTry();
    if (wait !== undefined) timer = setTimeout(() => void refresh(), wait);
  }

  function untilNextTry(): number | undefined {
    if (state?.kind !== 'unreachable' || state.busy || state.triesAgainIn === undefined) return undefined;
    return Math.max(state.triesAgainIn, pollDelay(polls++));
  }

  /** Makes a call; undefined where a later call has been answered meanwhile, so that no old answer covers a newer one. */
  async function ask(call: () => Promise<Answer>): Promise<Answer | undefined> {
    const number = ++callsSent;
    const answer = await call();
    if (number < newestAnswer) return undefined;
    newestAnswer = number;
    noteConnection(answer.problem?.code !== 'unreachable');
    return answer;
  }

  function noteConnection(answered: boolean): void {
    const wasOffline = offline;
    offline = !answered && !isOnline();
    if (state && offline !== wasOffline) show(state, offline);
  }

  async function reload(notice?: NoticeName): Promise<void> {
    const step = state === undefined ? signingIn : state.kind !== 'unknown_link' && state.signingIn;
    if (state?.kind === 'unreachable') update({ ...state, busy: true });
    const answer = await ask(api.getSession);
    if (!answer) return;
    if (answer.ok) {
      const page: SessionPage = { kind: 'session', session: answer.session, signingIn: step, busy: false, notice };
      update(changed(sessionPage()?.session ?? answer.session, page));
    } else if (answer.problem.code === 'link_not_found') update({ kind: 'unknown_link' });
    else update({ kind: 'unreachable', signingIn: step, busy: false, ...whenToTryAgain(answer.problem) });
  }

  /** A question in the background: what the patient reads and types stays, also when there is no answer. */
  async function refresh(): Promise<void> {
    if (sessionPage()?.notice === 'checking_payment') return checkPayment();
    if (state?.kind === 'unreachable') return reload();
    if (!sessionPage() || sessionPage()?.busy) return;
    const answer = await ask(api.getSession);
    const page = sessionPage();
    if (answer?.ok && page) update(changed(page.session, { ...page, session: answer.session }));
    else schedule();
  }

  /** The answer to a payment was lost: it may have been taken, or may still reach the server. Only the server's state tells, in time. */
  function lookForPayment(page: SessionPage): Promise<void> {
    update({ ...page, busy: true, notice: 'checking_payment' });
    checkUntil = now() + checkingTime;
    return checkPayment();
  }

  async function checkPayment(): Promise<void> {
    if (now() >= checkUntil) return reload('payment_not_seen');
    const answer = await ask(api.getSession);
    const page = sessionPage();
    if (page?.notice !== 'checking_payment') return;
    if (!answer?.ok || (answer.session.status === 'pending' && !answer.session.blockedBy)) return schedule();
    polls = 0;
    update({ ...page, session: answer.session, busy: false, notice: undefined });
  }

  /** Tells of a touch; one that the server could not hear is told again with the next. */
  async function open(): Promise<void> {
    const opened = sessionPage()?.session;
    if (opening || opened?.status !== 'pending' || opened.openedAt !== undefined || !canBePaid(opened)) return;
    opening = true;
    untoldTouch = false;
    const answer = await ask(api.openSession);
    opening = false;
    const page = sessionPage();
    if (answer?.ok && page) update(changed(page.session, { ...page, session: answer.session }));
    else if (answer?.problem && !isFault(answer.problem)) await refresh();
  }

  /** Runs one action of the patient; a second tap while it runs does nothing. */
  async function act(call: () => Promise<Answer>, whenUnclear?: (page: SessionPage) => Promise<void>): Promise<void> {
    const before = sessionPage();
    if (!before || before.busy) return;
    update({ ...before, busy: true, notice: undefined });
    const answer = await ask(call);
    const page = sessionPage() ?? before;
    if (answer?.ok) return update({ ...page, session: answer.session, signingIn: false, busy: false });
    const problem = answer?.problem;
    if (whenUnclear && isUnclear(problem)) return whenUnclear(page);
    if (problem && isAboutSignIn(problem))
      return update({ ...page, session: afterSignIn(page.session, problem), busy: false, notice: problem.code });
    return reload(problem?.code);
  }

  return {
    reload: () => reload(),
    connectBank: (credentials) => act(() => api.connectBank(credentials)),
    authorizePayment: (authorizationId) => act(() => api.authorizePayment(authorizationId), lookForPayment),
    showSignIn(nowSigningIn) {
      const page = sessionPage();
      if (page) update({ ...page, signingIn: nowSigningIn, notice: page.busy ? page.notice : undefined });
      else if (state?.kind === 'unreachable') update({ ...state, signingIn: nowSigningIn });
    },
    touched() {
      untoldTouch = true;
      void open();
    },
    setVisible(nowVisible) {
      visible = nowVisible;
      polls = 0;
      checkUntil = now() + checkingTime;
      schedule();
      if (visible) void refresh();
    },
    failed() {
      update({ kind: 'unreachable', signingIn: false, busy: false });
    },
    connectionChanged() {
      if (state?.kind !== 'unreachable') void refresh();
      else if (isOnline()) void reload();
      else noteConnection(false);
    },
  };
}

/** Whether there is a way to pay: only a sandbox has a bank to connect so far. */
export function canBePaid({ sandbox }: SessionView): boolean {
  return sandbox;
}

/**
 * A page whose session is newer than `before`: what is over needs no notice, and another authorization than the one that was read does.
 * Where the patient waits for an answer, that answer says what is to be said.
 */
function changed(before: SessionView, page: SessionPage): SessionPage {
  const { status, blockedBy, authorization } = page.session;
  if (page.busy) return page;
  if (status !== 'pending' || blockedBy) return { ...page, notice: undefined };
  const isOther = before.authorization && authorization && before.authorization.id !== authorization.id;
  return isOther && !page.signingIn ? { ...page, notice: 'authorization_changed' } : page;
}

/** Whether nothing is known of the session from this answer. */
function isFault({ code }: Problem): boolean {
  return code === 'unreachable' || code === 'busy' || code === 'internal_error';
}

function whenToTryAgain({ code, retryAfter }: Problem): Pick<UnreachablePage, 'triesAgainIn'> {
  return code === 'busy' || code === 'internal_error' ? { triesAgainIn: Math.min(retryAfter || 5_000, 60_000) } : {};
}

/** Whether the action may have been done all the same: no answer, one that a later answer has overtaken, or a fault on the server's side. */
function isUnclear(problem: Problem | undefined): boolean {
  return problem === undefined || problem.code === 'unreachable' || problem.code === 'internal_error';
}

/** After these the session is as it was; after any other problem the server must be asked how it stands. */
function isAboutSignIn({ code }: Problem): boolean {
  return code === 'bank_connection_failed' || code === 'bank_connection_locked' || code === 'bank_unavailable';
}

function afterSignIn(session: SessionView, { code, attemptsRemaining }: Problem): SessionView {
  const remaining = code === 'bank_connection_locked' ? 0 : attemptsRemaining;
  return remaining === undefined ? session : { ...session, bankConnectionAttemptsRemaining: remaining };
}
