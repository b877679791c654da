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
export function isLeftAlone(): boolean {
  return Date.now() - lastInput > watchedFor;
}
