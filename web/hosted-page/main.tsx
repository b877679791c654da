import { render, type VNode } from 'preact';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { bankPicker } from './bank-picker.ts';
import { applyBrand } from './brand.ts';
import { language } from './language.ts';
import { Frame } from './parts/frame.tsx';
import { patientApi, serverNow } from './patient-api.ts';
import type { BankStep, PageState, UnreachablePage } from './page-state.ts';
import { paymentPage } from './payment-page.ts';
import { hasContact, viewOf } from './view-of.ts';
import { BankSignIn, ChooseBank, sandboxBanks } from './views/sandbox-bank.tsx';
import { Offline, ServiceBusy, Unreachable, UnknownLink } from './views/outcomes.tsx';
import { surviveTranslation } from '../translated-page.tsx';

// Preact needs it. Missing before Chrome 71 and Safari 12.1.
window.queueMicrotask ??= (task) => void Promise.resolve().then(task);
surviveTranslation();

/** All steps share one history entry, so that Back leaves the bank. */
const bankSteps: readonly BankStep[] =
  builtForMode === 'sandbox' ? ['banks', ...sandboxBanks.map(({ step }) => step)] : [];
const bankStepOfHash = () => bankSteps.find((step) => location.hash === `#${step}`);
const start = document.querySelector('#page');
let root: Element | undefined;
let failed = false;
// Whatever follows the link in a sentence is not part of the token.
const token = location.pathname.slice(3).replace(/[^\w-].*/, '');

const page = paymentPage({
  api: patientApi(token, language, window.sentAhead),
  bankPicker: builtForMode === 'live' ? bankPicker(language) : undefined,
  show,
  bankStep: bankStepOfHash(),
  now: () => performance.now(),
  serverNow,
  isOnline: () => navigator.onLine,
});

/** Whether this page pushed the history entry. Unknown after a reload, because nothing is stored. */
let steppedIn = false;
const actions = {
  ...page,
  startBankStep() {
    if (builtForMode === 'live') return void page.pickBank();
    steppedIn = true;
    history.pushState(null, '', '#banks');
    page.showBankStep('banks');
  },
  goToBankStep(step: BankStep) {
    history.replaceState(null, '', `#${step}`);
    page.showBankStep(step);
  },
  leaveBankStep() {
    leaveHash();
    page.showBankStep(undefined);
  },
};

function contentOf(state: PageState, offline: boolean): VNode {
  switch (state.kind) {
    case 'session': {
      const View = viewOf(state);
      return <View page={state} actions={actions} />;
    }
    case 'unknown_link':
      return <UnknownLink />;
    case 'unreachable': {
      const NoAnswer = noAnswerView(state, offline);
      return <NoAnswer busy={state.busy} retry={actions.reload} />;
    }
  }
}

function noAnswerView({ triesAgainIn }: UnreachablePage, offline: boolean) {
  if (offline) return Offline;
  return triesAgainIn === undefined ? Unreachable : ServiceBusy;
}

let shownView: VNode['type'] | undefined;
let lastSession: SessionView | undefined;

function show(state: PageState, offline: boolean): void {
  if (failed) return;
  try {
    showIn(root ?? replaceStart(), state, offline);
  } catch (error) {
    console.error(error);
    failed = true;
    page.stop();
    if (start) root?.replaceWith(start);
    window.showHelp((lastSession ?? (state.kind === 'session' ? state.session : undefined))?.practice);
  }
}

function replaceStart(): Element {
  root = document.createElement('div');
  root.id = 'page';
  start?.replaceWith(root);
  return root;
}

function showIn(place: Element, state: PageState, offline: boolean): void {
  const content = contentOf(state, offline);
  const isSession = state.kind === 'session';
  if (isSession) {
    applyBrand(document.documentElement, state.session.practice.primaryColor);
    if (!isBankStep(content.type) && location.hash !== '') leaveHash();
  }
  const known = state.kind === 'unknown_link' ? undefined : lastSession;
  const session = isSession ? state.session : known;
  const frame = (
    <Frame session={session} offline={offline && isSession} hasContact={hasContact(content.type)}>
      {content}
    </Frame>
  );
  render(frame, place);
  if (content.type !== shownView || (builtForMode === 'live' && hasOtherAccount(state)))
    announceView(session?.practice.name);
  shownView = content.type;
  lastSession = session;
}

function isBankStep(view: VNode['type']): boolean {
  return builtForMode === 'sandbox' && (view === ChooseBank || view === BankSignIn);
}

/** The picker leads from the review to the review. A notice says what else has changed. */
function hasOtherAccount(state: PageState): boolean {
  if (state.kind !== 'session' || state.notice) return false;
  const before = lastSession?.authorization;
  return before !== undefined && before.id !== state.session.authorization?.id;
}

/** Keeps Back from leading to a finished step. */
function leaveHash(): void {
  history.replaceState(null, '', location.pathname + location.search);
  if (steppedIn) history.back();
}

function announceView(practiceName: string | undefined): void {
  const heading = document.querySelector('h1');
  const words = heading?.textContent ?? '';
  document.title = practiceName === undefined || words.includes(practiceName) ? words : `${words} - ${practiceName}`;
  heading?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** Counts clicks as activity: a tap, or Enter or Space on a button. Not on links, which leave the page. */
addEventListener('click', ({ target }) => target instanceof Element && !target.closest('a') && page.touched(), true);
for (const change of ['online', 'offline']) addEventListener(change, () => page.connectionChanged());
addEventListener('hashchange', () => page.showBankStep(bankStepOfHash()));
const look = () => page.setVisible(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', look);
// A page restored from the back/forward cache can be hours old.
addEventListener('pageshow', (event) => event.persisted && page.setVisible(true));

// The link may have been opened in a background tab.
look();
void page.reload();
