import { useEffect, useRef } from 'preact/hooks';
import { isLeftAlone } from './activity.ts';

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
