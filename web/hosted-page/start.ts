/**
 * Runs first and in any browser, so it is ES5 and imports nothing. Requests the session while the rest is still parsed,
 * and tells patients whom to call if their browser cannot run the page.
 */
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';

type Practice = SessionView['practice'];

declare const builtFor: string;
declare global {
  interface Window {
    /** The first request to the API. Undefined if the browser cannot run the page. */
    sentAhead?: { readonly answer: Promise<Response>; readonly timeout: AbortController } | undefined;
    showHelp(practice?: Practice): void;
  }
}

// esbuild turns `const` into `var` at the top level, but not in functions.
const timeout = 'AbortController' in window ? new AbortController() : undefined;
const answer =
  'fetch' in window
    ? fetch('/api/patient/session', {
        headers: {
          authorization: 'Bearer ' + location.pathname.slice(3).replace(/[^\w-].*/, ''),
          'accept-language': builtFor,
        },
        cache: 'no-store',
        signal: timeout ? timeout.signal : null,
      })
    : undefined;
let known: Practice | undefined;

function fillPhone(link: HTMLAnchorElement | null): void {
  if (!link || !known || !known.supportPhone || !known.supportPhoneUri) return;
  link.href = known.supportPhoneUri;
  link.textContent += known.name + ': ' + known.supportPhone.replace(/ /g, '\u00a0');
  link.hidden = false;
}

function fillHelp(): void {
  fillPhone(document.querySelector<HTMLAnchorElement>('.help a[hidden]'));
}

window.showHelp = function (practice) {
  document.documentElement.className = 'failed';
  known = practice || known;
  fillHelp();
};

function onFault(): void {
  window.showHelp();
}

if (answer) {
  answer
    .then(function (response) {
      return response.clone().json();
    })
    .then(function (session: SessionView) {
      known = session.practice;
      fillHelp();
    })
    .then(undefined, function () {});
}
addEventListener('error', onFault);
addEventListener('unhandledrejection', onFault);
addEventListener('DOMContentLoaded', fillHelp);
if (answer && timeout) window.sentAhead = { answer: answer, timeout: timeout };
else onFault();
