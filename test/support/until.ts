/**
 * How many milliseconds to wait for what the stack does by itself. On a very busy machine, a function may fail. Then the sweep does its work,
 * once it is two minutes late, and runs every minute.
 */
export const patience = 240_000;

/** Not Playwright's `waitForFunction`: from its second try on, it evaluates in the page, which the content policy refuses. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = patience): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition did not hold in time');
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
