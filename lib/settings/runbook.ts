/** A path in the repository: only the team knows where it is hosted. */
export const runbookPath = 'web/docs/operate.md';

/** The URL that alarms link to. Throws for anything but an https URL without an anchor. */
export function runbookOf(url: string | undefined): string {
  if (url === undefined) return runbookPath;
  if (!URL.canParse(url) || !url.startsWith('https://') || url.includes('#'))
    throw new Error(
      '-c runbookUrl must be the https URL of the published runbook without an anchor, such as https://git.example.com/payments/blob/main/web/docs/operate.md.',
    );
  return url;
}
