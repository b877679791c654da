import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';

/**
 * The authorization in full, and below it a bar with what accepts it. On a phone the bar stays in sight and may cover the end of the text:
 * as long as it does, it says so and leads there.
 */
export function Authorization({
  text,
  locale,
  children,
}: {
  text: string;
  locale: string;
  children: ComponentChildren;
}) {
  const words = useRef<HTMLParagraphElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [covered, setCovered] = useState(false);

  const coveredPixels = () =>
    (words.current?.getBoundingClientRect().bottom ?? 0) - (bar.current?.getBoundingClientRect().top ?? 0);
  // After every render, as a notice makes the bar taller.
  useLayoutEffect(() => {
    const look = () => setCovered(coveredPixels() > 1);
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  });

  /** Shows the end, or as much more as fits on the screen, so that no line is skipped. */
  function readOn() {
    const screenful = 0.7 * (bar.current?.getBoundingClientRect().top ?? 0);
    window.scrollBy(0, Math.min(coveredPixels() + 12, screenful));
    // The button goes once the end is in sight; the focus must not be lost with it.
    words.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <h2 class="legend">{texts.review.authorization}</h2>
      <p class="authorization" lang={locale} ref={words} tabIndex={-1}>
        {text}
      </p>
      <div class="action-bar" ref={bar}>
        {covered && (
          <button type="button" class="read-on" onClick={readOn}>
            {texts.review.readAll}
          </button>
        )}
        {children}
      </div>
    </>
  );
}
