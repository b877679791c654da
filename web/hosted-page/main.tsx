import { render, type VNode } from 'preact';
import type { SessionView } from '../../functions/contract/patient-api.ts';
import { brandColors } from './brand.ts';
import { language } from './language.ts';
import { Frame } from './parts/frame.tsx';
import { patientApi } from './patient-api.ts';
import { paymentPage, type PageState } from './payment-page.ts';
import { viewOf } from './view-of.ts';
import { BankSignIn } from './views/bank-sign-in.tsx';
import { Offline, Unreachable } from './views/no-answer.tsx';
import { UnknownLink } from './views/text-alone.tsx';

/** The bank's sign-in has a place of its own in the history, so that a phone's "Back" leaves it and not the page. */
const signInHash = '#bank';
const root = document.querySelector('#page');
const token = location.pathname.split('/')[2] ?? '';

const page = paymentPage({
  api: patientApi(token, language),
  show,
  signingIn: location.hash === signInHash,
  now: Date.now,
  isOnline: () => navigator.onLine,
});

let steppedIn = false;
const actions = {
  ...page,
  startSignIn() {
    steppedIn = true;
    location.hash = signInHash;
  },
  leaveSignIn() {
    if (steppedIn) return history.back();
    // The page was loaded at this step, after a reload or in another language: what lies before it is not the step before.
    dropHash();
    page.showSignIn(false);
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
    case 'unreachable':
      return offline ? <Offline busy={state.busy} retry={actions.reload} /> : <Unreachable busy={state.busy} retry={actions.reload} />;
    default: {
      const never: never = state;
      return never;
    }
  }
}

let shownView: VNode['type'] | undefined;
/** Stays around the views that have none: whom to call matters most where something does not work. */
let lastSession: SessionView | undefined;

function show(state: PageState, offline: boolean): void {
  if (!root) return;
  const content = contentOf(state, offline);
  const isSession = state.kind === 'session';
  if (isSession) {
    lastSession = state.session;
    applyBrand(state.session.practice.primaryColor);
    if (content.type !== BankSignIn && location.hash !== '') dropHash();
  }
  if (shownView === undefined) root.replaceChildren();
  const frame = (
    <Frame session={lastSession} offline={offline && isSession}>
      {content}
    </Frame>
  );
  render(frame, root);
  if (content.type !== shownView) announceView(lastSession?.practice.name);
  shownView = content.type;
}

function dropHash(): void {
  history.replaceState(null, '', location.pathname + location.search);
}

/** A new view starts at its heading, for eyes and for screen readers. */
function announceView(practiceName: string | undefined): void {
  const heading = document.querySelector('h1');
  const words = heading?.textContent ?? '';
  document.title = practiceName === undefined || words.includes(practiceName) ? words : `${words} - ${practiceName}`;
  heading?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** Set through the object model, which the content security policy allows where inline styles are refused. */
function applyBrand(primaryColor: string): void {
  const colors = brandColors(primaryColor);
  if (!colors) return;
  const { style } = document.documentElement;
  style.setProperty('--brand', colors.brand);
  style.setProperty('--on-brand', colors.onBrand);
  style.setProperty('--edge-on-light', colors.edgeOnLight);
  style.setProperty('--edge-on-dark', colors.edgeOnDark);
}

for (const touch of ['pointerdown', 'touchstart', 'keydown', 'scroll']) {
  addEventListener(touch, () => page.touched(), { capture: true, passive: true });
}
for (const change of ['online', 'offline']) addEventListener(change, () => page.connectionChanged());
addEventListener('hashchange', () => page.showSignIn(location.hash === signInHash));
document.addEventListener('visibilitychange', () => page.setVisible(document.visibilityState === 'visible'));
// A page that comes back from the browser's back/forward cache may be hours old.
addEventListener('pageshow', (event) => event.persisted && page.setVisible(true));

void page.reload();
