/** In milliseconds; longer than the pauses between the requests that a screen sends by itself. */
const attention = 120_000;
/** In milliseconds. */
const patience = 10 * 60_000;
let lastInput = Date.now();

for (const type of ['pointerdown', 'pointermove', 'wheel', 'scroll', 'keydown', 'visibilitychange'])
  addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });

/** Whether someone is there: what a screen sends by itself must not keep an idle user signed in. */
export function isAttended(): boolean {
  return Date.now() - lastInput < attention;
}

/** Someone may watch a screen without touching it for a while; after that it stops asking. */
export function isLeftAlone(): boolean {
  return Date.now() - lastInput > patience;
}
