import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { paragraphsOf } from './facts.tsx';

/** On a phone, the sticky bar can cover the end of the text. */
export function Authorization({
  text,
  locale,
  after,
  children,
}: {
  text: string;
  locale: string;
  /** Between the text and the bar. */
  after: ComponentChildren;
  children: ComponentChildren;
}) {
  const words = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [covered, setCovered] = useState(false);

  const coveredPixels = () =>
    (words.current?.getBoundingClientRect().bottom ?? 0) - (bar.current?.getBoundingClientRect().top ?? 0);
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

  function readOn() {
    const screenful = 0.7 * (bar.current?.getBoundingClientRect().top ?? 0);
    window.scrollBy(0, Math.min(coveredPixels() + 12, screenful));
    // The button disappears at the end of the text, so the focus moves on.
    words.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <h2 class="legend">{texts.review.authorization}</h2>
      <div class="authorization" lang={locale} translate={false} ref={words} tabIndex={-1}>
        {paragraphsOf(text)}
      </div>
      {after}
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
