import type { Page } from 'playwright-core';

/** Checks what depends on the window's size, at the current one: axe takes fifty times longer for the same two rules. */
export async function layoutFaults(page: Page, part = 'html'): Promise<string[]> {
  return page.evaluate(findLayoutFaults, part);
}

/** Runs in the page. */
function findLayoutFaults(part: string): string[] {
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';
  const root = document.querySelector(part)!;
  const told = (fault: string, { tagName, className, textContent }: Element) =>
    `${fault}: ${tagName}.${className} "${textContent.trim().slice(0, 40)}"`;

  function isInSentence(target: Element): boolean {
    const { parentElement: parent } = target;
    if (!parent || getComputedStyle(target).display !== 'inline') return false;
    const letters = ({ textContent }: Element) => textContent.replaceAll(/\s/g, '').length;
    return letters(parent) > [...parent.querySelectorAll(focusable)].reduce((sum, each) => sum + letters(each), 0);
  }

  /** WCAG 2.2, 2.5.8: a target must be large enough, be in a sentence, or have its own circle of 24 pixels. */
  function crowded(): string[] {
    const targets = [...root.querySelectorAll(focusable)]
      .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches(':disabled'))
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      // A field that only screen readers find has a label, which is larger.
      .filter(({ box }) => box.width > 1 && box.height > 1);
    const isSmall = ({ box: { width, height } }: (typeof targets)[number]) => width < 23.9 || height < 23.9;
    const center = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });
    const small = targets.filter((each) => isSmall(each) && !isInSentence(each.target));
    return small.flatMap(({ target, box }) => {
      const { x, y } = center(box);
      const near = targets.find((other) => {
        if (other.target.contains(target) || target.contains(other.target)) return false;
        const { left, top, right, bottom } = other.box;
        const away = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
        const apart = Math.hypot(center(other.box).x - x, center(other.box).y - y);
        return away < 12 || (isSmall(other) && apart < 24);
      });
      return near ? [`${told('too small', target)} beside ${told('', near.target)}`] : [];
    });
  }

  /** What the keyboard cannot scroll. */
  function stuck(): string[] {
    return [...root.querySelectorAll('*')]
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const scrolls = (overflow: string) => /auto|scroll/.test(overflow);
        const isCut =
          (scrolls(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (scrolls(overflowY) && element.scrollHeight > element.clientHeight + 1);
        return isCut && !element.matches(focusable) && !element.querySelector(focusable);
      })
      .map((element) => told('no key scrolls', element));
  }

  return [...crowded(), ...stuck()];
}
