import { useEffect, useRef } from 'preact/hooks';
import { isLeftAlone } from './activity.ts';

/** Works every few seconds while somebody looks, never twice at once; also when the tab comes back. */
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
