export interface Practice {
  practiceId: string;
  name: string;
  mode: 'sandbox' | 'live';
  apiKey: {
    keyId: string;
    name: string;
    scopes: Scope[];
    /** Absent: it works until somebody revokes it. */
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
