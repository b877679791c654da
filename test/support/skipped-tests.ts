import { whyNoBrowser } from './browser-path.ts';

/** Why tests with the tag `browser` cannot run here. In CI they fail instead. */
export const noBrowser = process.env['CI'] ? undefined : whyNoBrowser();

/** Global setup. */
export default function tellSkipped(): void {
  if (noBrowser !== undefined) console.log(`Skipping the tests that need a browser. ${noBrowser}`);
}
