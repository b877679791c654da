import type { SessionView } from '../../../../functions/contract/sessions/session-view.ts';

/** What the preview shows for a practice. */
export interface Shown {
  readonly name: string;
  readonly primaryColor: string;
  readonly logoUrl: string | undefined;
  readonly supportPhone: string;
  readonly supportEmail: string;
  readonly postalAddress: string;
  readonly privacyUrl: string;
  readonly termsUrl: string;
  readonly sessionLifetimeSeconds: number;
  readonly linkLifetimeDays: number;
  readonly sandbox: boolean;
}

const patient = { firstName: 'Maria', lastNameInitial: 'L' };

export function invoiceOf({ linkLifetimeDays, sessionLifetimeSeconds, sandbox, ...practice }: Shown): SessionView {
  return {
    status: 'pending',
    amountCents: 18_250,
    currency: 'USD',
    invoiceId: 'INV-1043',
    patient,
    practice: practiceOf(practice),
    // Slightly less, so that it is shown as whole days.
    expiresAt: new Date(Date.now() + linkLifetimeDays * 86_400_000 + 60_000).toISOString(),
    sessionLifetimeSeconds,
    bankConnectionAttemptsRemaining: 5,
    sandbox,
  };
}

export function receiptOf(practice: Shown): SessionView {
  const { name, supportPhone, supportEmail } = practiceOf(practice);
  const { sessionLifetimeSeconds: _lifetime, ...invoice } = invoiceOf(practice);
  const today = new Date().toISOString();
  return {
    ...invoice,
    status: 'succeeded',
    patient: { ...patient, lastName: 'Lopez' },
    bankAccount: { bankName: 'Example Bank', accountType: 'checking', last4: '6789' },
    receipt: {
      receiptNumber: 'RCP-4F7K2M9Q',
      authorizedAt: today,
      settledAt: today,
      authorizationText: `I authorize ${name} and its payment processor to electronically debit my checking account at Example Bank ending in 6789 once, for $182.50, for invoice INV-1043.`,
      authorizationLocale: 'en',
      practice: { name, supportPhone, supportEmail },
      statementText: name.toUpperCase().slice(0, 16),
    },
  };
}

type Branding = Omit<Shown, 'linkLifetimeDays' | 'sessionLifetimeSeconds' | 'sandbox'>;

function practiceOf({ name, primaryColor, logoUrl, ...texts }: Branding): SessionView['practice'] {
  const { supportPhone, supportEmail, postalAddress, privacyUrl, termsUrl } = texts;
  return {
    name: name.trim() === '' ? 'Your practice' : name,
    primaryColor,
    ...(logoUrl !== undefined && { logoUrl }),
    ...(supportPhone !== '' && { supportPhone, supportPhoneUri: 'tel:' }),
    ...(supportEmail !== '' && { supportEmail }),
    ...(postalAddress !== '' && { postalAddress }),
    ...(privacyUrl !== '' && { privacyUrl }),
    ...(termsUrl !== '' && { termsUrl }),
  };
}
