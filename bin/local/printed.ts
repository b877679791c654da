import type { Mail } from '../../lib/local/user-pool.ts';
import type { StackFile } from '../practice/files.ts';
import type { LocalStripe } from './stripe.ts';

interface UsedStripe extends Pick<LocalStripe, 'apiBase' | 'isStandIn'> {
  readonly notifyUrl: string;
  readonly deposit: { readonly id: string; readonly charges_enabled?: boolean | undefined };
}

/** `startedIn` is in milliseconds. */
export function welcome(
  { apiUrl, hostedUrl, dashboardUrl, docsUrl, dashboardUsers, practice }: StackFile,
  startedIn: number,
  stripe?: UsedStripe,
): string {
  const { practiceId, apiKey, webhookUrl, signingSecret } = practice;
  return `
Ready in ${(startedIn / 1000).toFixed(1)} s. Press Ctrl-C to stop; the data is kept.

API          ${apiUrl}
Hosted page  ${hostedUrl}
Dashboard    ${dashboardUrl}
             ${dashboardUsers.map(({ email }) => email).join(' ')}
             password ${dashboardUsers[0]?.password ?? ''}  (emails are printed here)
Docs         ${docsUrl}
Practice     ${practiceId}
API key      ${apiKey}
Webhooks     ${webhookUrl}  (verified and printed here)
Secret       ${signingSecret}
${stripe ? stripeLines(stripe) : testBankLines(practice)}

curl -s ${apiUrl}/api/practice/sessions \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"invoiceId":"INV-1043","amountCents":18250,"patient":{"firstName":"Ada","lastName":"Okafor"}}'
`;
}

function testBankLines({ testBankCredentials }: StackFile['practice']): string {
  return `Test bank    password ${testBankCredentials[0]?.password ?? ''}
             ${testBankCredentials.map(({ username }) => username).join(' ')}

Create a session, open its hostedUrl, choose Sandbox Bank and sign in as user_good:`;
}

function stripeLines({ apiBase, isStandIn, notifyUrl, deposit }: UsedStripe): string {
  const unfinished = deposit.charges_enabled === false ? '  (not onboarded at Stripe yet)' : '';
  return `Deposits to  ${deposit.id}${unfinished}
Stripe       ${apiBase}${isStandIn ? '  (a stand-in: no money moves)' : `  must notify ${notifyUrl}`}

Create a session, open its hostedUrl, and choose ${isStandIn ? 'a test bank' : 'a bank'}:`;
}

/** Formats a mail without characters that control a terminal. */
export function mailText({ to, subject, text }: Mail): string {
  const lines = `to ${to}  ${subject}\n${text.trim()}`.split('\n');
  return `mail         ${lines.map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')).join('\n             ')}`.replaceAll(
    / +$/gm,
    '',
  );
}
