import { useEffect, useRef } from 'preact/hooks';

/** In milliseconds. Longer than a screen's polling interval. */
const attendedFor = 120_000;
/** In milliseconds. */
const watchedFor = 10 * 60_000;
let lastInput = Date.now();

for (const type of ['pointerdown', 'pointermove', 'wheel', 'scroll', 'keydown', 'visibilitychange'])
  addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });

/** Whether someone is using the page: polling must not keep an idle user signed in. */
export function isAttended(): boolean {
  return Date.now() - lastInput < attendedFor;
}

/** Whether nobody has touched the page for so long that polling should stop. Someone may watch it for a while. */
function isLeftAlone(): boolean {
  return Date.now() - lastInput > watchedFor;
}

/** Milliseconds. Later, the work runs twice a minute at most, so that the API's throttles carry many open tabs. */
const attentive = 120_000;
const patientSeconds = 30;

/**
 * Runs the work every few seconds while someone is watching, and when the tab becomes visible again. Never runs it twice at
 * once.
 */
export function useEvery(seconds: number, isActive: boolean, work: () => Promise<void>): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!isActive) return undefined;
    let busy = false;
    let since = Date.now();
    let timer: ReturnType<typeof setTimeout>;
    async function run() {
      if (busy || document.visibilityState === 'hidden' || isLeftAlone()) return;
      busy = true;
      await latest.current();
      busy = false;
    }
    function schedule() {
      const wait = Date.now() - since < attentive ? seconds : Math.max(seconds, patientSeconds);
      timer = setTimeout(() => {
        schedule();
        void run();
      }, wait * 1000);
    }
    const onVisible = () => {
      since = Date.now();
      clearTimeout(timer);
      schedule();
      void run();
    };
    schedule();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isActive, seconds]);
}
