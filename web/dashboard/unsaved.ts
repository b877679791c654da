import { useLayoutEffect } from 'preact/hooks';
import { leavingToSignIn } from './api.ts';

/** The forms with changes that are not saved, and the addresses of their screens. */
const unsaved = new Map<string, string>();

/** Asks if something is not saved. Call it before whatever leaves the screen by a script. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || confirm('Leave without saving? What you entered is lost.');
}

/** Call it when the user leaves. Otherwise the browser asks again when the page unloads. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

/** `values` are the form's current ones: each change to them counts again. */
export function useUnsaved(form: string, isChanged: boolean, values: object): void {
  useLayoutEffect(() => {
    if (!isChanged) return undefined;
    unsaved.set(form, location.href);
    return () => void unsaved.delete(form);
  }, [form, isChanged, values]);
}

/** Asks before a link, the browser's Back or a reload loses unsaved changes. Call it before the router listens, too. */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
  // Forms keep a draft across a sign-in.
  addEventListener(leavingToSignIn, forgetUnsaved);
  const onLink = (event: MouseEvent) => {
    if (!leavesScreen(event)) return;
    if (mayLeave()) return forgetUnsaved();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('click', onLink, true);
  addEventListener('popstate', (event) => {
    if (mayLeave()) return forgetUnsaved();
    event.stopImmediatePropagation();
    // The browser has changed the address already.
    const [address] = unsaved.values();
    history.pushState(null, '', address);
  });
}

/** Whether a link leads away in this tab. Those to the API begin a sign-in; other sites' unload the page. */
function leavesScreen(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return false;
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
  if (!link || link.origin !== location.origin || link.pathname.startsWith('/api/')) return false;
  const isHere = link.pathname === location.pathname && link.search === location.search && link.hash !== '';
  return link.target === '' && !link.download && !isHere;
}
