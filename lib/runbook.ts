/** What alarms name until a team sets the URL: only the team knows where its copy of the repository is hosted. */
const pathInRepository = 'web/docs/operate.md';

/** The runbook that alarms link to. Throws if `docsUrl` is not an https URL that an anchor can follow. */
export function runbookUrl(docsUrl?: string): string {
  if (docsUrl === undefined) return pathInRepository;
  if (!URL.canParse(docsUrl) || !docsUrl.startsWith('https://') || docsUrl.includes('#'))
    throw new Error(
      'docsUrl must be the https URL of the published runbook, without an anchor: ' +
        '-c docsUrl=https://git.example.com/payments/blob/main/web/docs/operate.md',
    );
  return docsUrl;
}
