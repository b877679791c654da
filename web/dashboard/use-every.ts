import { useEffect, useRef } from 'preact/hooks';

/** In milliseconds. A screen that is left open stops asking. */
const attention = 10 * 60_000;
let lastTouch = Date.now();
for (const touch of ['pointerdown', 'keydown', 'scroll', 'visibilitychange'])
  addEventListener(touch, () => (lastTouch = Date.now()), { capture: true, passive: true });

/** Works every few seconds while somebody looks, never twice at once; also when the tab comes back. */
export function useEvery(seconds: number, isActive: boolean, work: () => Promise<void>): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!isActive) return undefined;
    let busy = false;
    async function run() {
      if (busy || document.visibilityState === 'hidden' || Date.now() - lastTouch > attention) return;
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
