/** An absent setting has the service's default. */
export interface NewPractice {
  /** Patients see it. */
  name: string;
  /** Production requires one of these two. */
  supportPhone?: string;
  supportEmail?: string;
  /** Printed on the paper receipt. At most four lines. */
  postalAddress?: string;
  /** The practice's own pages, which patients see instead of ours. */
  privacyUrl?: string;
  termsUrl?: string;
  /** The accent color of the payment page, such as `#0f766e`. */
  primaryColor?: string;
  /** For example, `America/New_York`. */
  timeZone?: string;
  linkLifetimeDays?: number;
  sessionLifetimeSeconds?: number;
  /** Whether patients can ask for more time. */
  extensions?: boolean;
  /** Whether an invoice can be paid only once. */
  invoiceGuard?: boolean;
  /** How many months patients' details are kept after a session ends. */
  retentionMonths?: number;
}

export interface ListedPractice {
  practiceId: string;
  name: string;
  status: 'active' | 'suspended' | 'closed';
  createdAt: string;
  /** When it joined your platform. */
  joinedAt: string;
  suspendedAt?: string;
}

export interface OpenedPractice extends ListedPractice {
  /** What it needs before live payments. Empty in a sandbox. */
  missing: ('terms' | 'deposit' | 'contact' | 'branding')[];
}

export interface CreatedPractice extends ListedPractice {
  /** Sandbox only: the sign-ins to Sandbox Bank. */
  testBank?: { password: string; users: { scenario: string; username: string }[] };
}

export interface Practice {
  practiceId: string;
  name: string;
  mode: 'sandbox' | 'live';
  apiKey: {
    keyId: string;
    name: string;
    scopes: Scope[];
    /** If absent, it works until somebody revokes it. */
    expiresAt?: string;
  };
}

export type Scope =
  | 'sessions:read'
  | 'sessions:write'
  | 'events:read'
  | 'payouts:read'
  | 'webhooks:write'
  | 'authorizations:read'
  | 'practices:write';
