import type { Locator, Page } from 'playwright-core';

interface Controls {
  button(name: string): Locator;
  link(name: string): Locator;
  /** In the open dialog. */
  inDialog: { button(name: string): Locator; label(name: string): Locator };
  /** A row of a table, by any of its words. */
  row(words: string): Locator;
  /** The text beside a "Copy" button. */
  copied(label: string): Promise<string>;
}

/** Finds what a person would use on a screen, by its role and name. */
export function controlsOf(page: Page): Controls {
  const dialog = page.getByRole('dialog');
  return {
    button: (name) => page.getByRole('button', { name, exact: true }),
    link: (name) => page.getByRole('link', { name, exact: true }),
    inDialog: {
      button: (name) => dialog.getByRole('button', { name, exact: true }),
      label: (name) => dialog.getByLabel(name, { exact: true }),
    },
    row: (words) => page.getByRole('row').filter({ hasText: words }),
    copied: (label) => page.locator('.copy-field').filter({ hasText: label }).getByRole('code').innerText(),
  };
}
