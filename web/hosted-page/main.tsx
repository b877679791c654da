import { render, type VNode } from 'preact';
import { brandColors } from './brand.ts';
import { Frame } from './parts/frame.tsx';
import { patientApi } from './patient-api.ts';
import { paymentPage, type PageState } from './payment-page.ts';
import { viewOf } from './view-of.ts';
import { BankSignIn } from './views/bank-sign-in.tsx';
import { UnknownLink } from './views/unknown-link.tsx';
import { Unreachable } from './views/unreachable.tsx';

/** The bank's sign-in has a place of its own in the history, so that a phone's "Back" leaves it and not the page. */
const signInHash = '#bank';
const root = document.querySelector('#page');
const token = location.pathname.split('/')[2] ?? '';

const page = paymentPage({ api: patientApi(token), show, signingIn: location.hash === signInHash, now: Date.now });
const actions = {
  ...page,
  startSignIn() {
    location.hash = signInHash;
  },
  leaveSignIn: () => history.back(),
};

function contentOf(state: PageState): VNode {
  switch (state.kind) {
    case 'session': {
      const View = viewOf(state);
      return <View page={state} actions={actions} />;
    }
    case 'unknown_link':
      return <UnknownLink />;
    case 'unreachable':
      return <Unreachable busy={state.busy} retry={actions.reload} />;
    default: {
      const never: never = state;
      return never;
    }
  }
}

let shownView: VNode['type'] | undefined;

function show(state: PageState): void {
  if (!root) return;
  const session = state.kind === 'session' ? state.session : undefined;
  const content = contentOf(state);
  if (session) applyBrand(session.practice.primaryColor);
  if (shownView === undefined) root.replaceChildren();
  render(<Frame session={session}>{content}</Frame>, root);
  if (content.type !== BankSignIn && location.hash !== '') history.replaceState(null, '', location.pathname);
  if (content.type !== shownView) announceView(session?.practice.name);
  shownView = content.type;
}

/** A new view starts at its heading, for eyes and for screen readers. */
function announceView(practiceName: string | undefined): void {
  const heading = document.querySelector('h1');
  document.title = [heading?.textContent, practiceName].filter(Boolean).join(' - ');
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
  style.setProperty('--brand-edge', colors.brandEdge);
}

for (const touch of ['pointerdown', 'touchstart', 'keydown', 'scroll']) {
  addEventListener(touch, () => page.touched(), { capture: true, passive: true });
}
addEventListener('hashchange', () => page.showSignIn(location.hash === signInHash));
document.addEventListener('visibilitychange', () => page.setVisible(document.visibilityState === 'visible'));
// A page that comes back from the browser's back/forward cache may be hours old.
addEventListener('pageshow', (event) => event.persisted && page.setVisible(true));

void page.reload();
