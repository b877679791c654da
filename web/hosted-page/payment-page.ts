import type { SessionView } from '../../functions/contract/patient-api.ts';
import type { Answer, PatientApi, Problem, ProblemName } from './patient-api.ts';

/** A session on the screen. The server's view decides; the rest is what the patient is just doing. */
export interface SessionPage {
  readonly kind: 'session';
  readonly session: SessionView;
  /** The patient asked for the bank's sign-in, one step deeper in the page. */
  readonly signingIn: boolean;
  /** An action of the patient is under way. */
  readonly busy: boolean;
  /** What went wrong with the last action. */
  readonly notice: ProblemName | undefined;
}

export type PageState = SessionPage | { readonly kind: 'unknown_link' } | { readonly kind: 'unreachable'; readonly busy: boolean };

/** What a patient can do; each resolves once its outcome is on the screen. */
export interface PatientActions {
  connectBank(credentials: { readonly username: string; readonly password: string }): Promise<void>;
  authorizePayment(authorizationId: string): Promise<void>;
  /** Asks the server again and shows what it says. */
  reload(): Promise<void>;
}

export interface PaymentPage extends PatientActions {
  showSignIn(signingIn: boolean): void;
  /** Tells the server of the patient's first touch of the page: scanners that follow links touch nothing. */
  touched(): void;
  /** Asks nothing while nobody looks at the page, and asks at once when somebody does again. */
  setVisible(visible: boolean): void;
}

interface Surroundings {
  readonly api: PatientApi;
  readonly show: (state: PageState) => void;
  /** Whether the page was loaded at the bank's sign-in. */
  readonly signingIn: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds until the next question about a payment in flight: prompt for a minute, then ever calmer. */
export function pollDelay(pollsSoFar: number): number {
  if (pollsSoFar < 30) return 2_000;
  return pollsSoFar < 60 ? 10_000 : 60_000;
}

/** The longest wait that `setTimeout` takes. */
const longestWait = 2 ** 31 - 1;

/** The behaviour of the page, without its looks: what is asked when, and what is shown after each answer. */
export function paymentPage({ api, show, signingIn, now }: Surroundings): PaymentPage {
  let state: PageState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let visible = true;
  let untoldTouch = false;
  let opening = false;
  let polls = 0;
  let callsSent = 0;
  let newestAnswer = 0;

  const sessionPage = (): SessionPage | undefined => (state?.kind === 'session' ? state : undefined);

  function update(next: PageState): void {
    state = next;
    show(next);
    schedule();
    if (untoldTouch) void open();
  }

  /** Plans the next question: about a payment in flight, or at the moment when a pending session ends. */
  function schedule(): void {
    clearTimeout(timer);
    const page = sessionPage();
    if (!visible || !page || page.busy) return;
    const { status, expiresAt } = page.session;
    if (status === 'processing') timer = setTimeout(() => void refresh(), pollDelay(polls++));
    if (status === 'pending') {
      // The server's clock decides: a page whose clock runs ahead asks every so often, not without pause.
      const wait = Math.max(Date.parse(expiresAt) - now() + 500, 15_000);
      timer = setTimeout(() => void refresh(), Math.min(wait, longestWait));
    }
  }

  /** Makes a call; undefined where a later call has been answered meanwhile, so that no old answer covers a newer one. */
  async function ask(call: () => Promise<Answer>): Promise<Answer | undefined> {
    const number = ++callsSent;
    const answer = await call();
    if (number < newestAnswer) return undefined;
    newestAnswer = number;
    return answer;
  }

  async function reload(notice?: ProblemName): Promise<void> {
    const step = state === undefined ? signingIn : (sessionPage()?.signingIn ?? false);
    if (state?.kind === 'unreachable') update({ ...state, busy: true });
    const answer = await ask(api.getSession);
    if (!answer) return;
    if (answer.ok) update({ kind: 'session', session: answer.session, signingIn: step, busy: false, notice });
    else if (answer.problem.code === 'link_not_found') update({ kind: 'unknown_link' });
    else update({ kind: 'unreachable', busy: false });
  }

  /** A question in the background: what the patient reads and types stays, also when there is no answer. */
  async function refresh(): Promise<void> {
    if (!sessionPage() || sessionPage()?.busy) return;
    const answer = await ask(api.getSession);
    const page = sessionPage();
    if (answer?.ok && page) update({ ...page, session: answer.session });
    else schedule();
  }

  /** Tells of a touch; one that the server could not hear is told again with the next. */
  async function open(): Promise<void> {
    const opened = sessionPage()?.session;
    if (opening || opened?.status !== 'pending' || opened.openedAt !== undefined) return;
    opening = true;
    untoldTouch = false;
    const answer = await ask(api.openSession);
    opening = false;
    const page = sessionPage();
    if (answer?.ok && page) update({ ...page, session: answer.session });
    else if (answer?.problem && answer.problem.code !== 'unreachable') await refresh();
  }

  /** Runs one action of the patient; a second tap while it runs does nothing. */
  async function act(call: () => Promise<Answer>): Promise<void> {
    const before = sessionPage();
    if (!before || before.busy) return;
    update({ ...before, busy: true, notice: undefined });
    const answer = await ask(call);
    const page = sessionPage() ?? before;
    if (answer?.ok) return update({ ...page, session: answer.session, signingIn: false, busy: false });
    const problem = answer?.problem ?? { code: 'unreachable' };
    if (isAboutSignIn(problem)) return update({ ...page, session: afterSignIn(page.session, problem), busy: false, notice: problem.code });
    return reload(problem.code);
  }

  return {
    reload: () => reload(),
    connectBank: (credentials) => act(() => api.connectBank(credentials)),
    authorizePayment: (authorizationId) => act(() => api.authorizePayment(authorizationId)),
    showSignIn(nowSigningIn) {
      const page = sessionPage();
      if (page) update({ ...page, signingIn: nowSigningIn, notice: undefined });
    },
    touched() {
      untoldTouch = true;
      void open();
    },
    setVisible(nowVisible) {
      visible = nowVisible;
      polls = 0;
      schedule();
      if (visible) void refresh();
    },
  };
}

/** After these the session is as it was; after any other problem the server must be asked how it stands. */
function isAboutSignIn({ code }: Problem): boolean {
  return code === 'bank_connection_failed' || code === 'bank_connection_locked' || code === 'bank_unavailable';
}

function afterSignIn(session: SessionView, { code, attemptsRemaining }: Problem): SessionView {
  const remaining = code === 'bank_connection_locked' ? 0 : attemptsRemaining;
  return remaining === undefined ? session : { ...session, bankConnectionAttemptsRemaining: remaining };
}
