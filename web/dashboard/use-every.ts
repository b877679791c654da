import { useEffect, useRef } from 'preact/hooks';
import { isLeftAlone } from './activity.ts';

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
    async function run() {
      if (busy || document.visibilityState === 'hidden' || isLeftAlone()) return;
      busy = true;
      await latest.current();
      busy = false;
    }
    const timer = setInterval(() => void run(), seconds * 1000);
    const onVisible = () => void run();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isActive, seconds]);
}
