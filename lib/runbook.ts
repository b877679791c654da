import type { Stage } from './stage.ts';

/** Only a team knows where its repository is hosted. */
export const runbookPath = 'web/docs/operate.md';

/** Throws if it is missing in production or not a URL. */
export function runbookOf(url: string | undefined, stage: Stage['name']): string {
  if (url === undefined && stage === 'sandbox') return runbookPath;
  if (url === undefined || !URL.canParse(url) || !url.startsWith('https://') || url.includes('#'))
    throw new Error(
      'Alarms need -c runbookUrl=https://git.example.com/payments/blob/main/web/docs/operate.md, the https URL of the published runbook without an anchor.',
    );
  return url;
}
