import { describe, expect, it } from 'vitest';
import { renderAuthorization } from '../../functions/domain/authorization.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { aPractice, aSession } from '../support/examples.ts';

const account = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;

describe('the authorisation text', () => {
  const { id, text } = renderAuthorization(aSession(), aPractice({ supportEmail: 'billing@example.com' }), account);

  it('names the practice, one amount, one debit, the invoice, the account and how to revoke', () => {
    for (const part of ['Lakeside Family Practice', 'once, for $182.50', 'INV-1043', 'checking account at Sandbox Bank ending in 6789', 'revoke', '+1 555 010 0100', 'billing@example.com']) {
      expect(text).toContain(part);
    }
  });

  it('is identified by its hash, so another amount or account has another id', () => {
    expect(id).toBe(sha256(text));
    expect(renderAuthorization(aSession({ amountCents: 18_251 }), aPractice(), account).id).not.toBe(id);
    expect(renderAuthorization(aSession(), aPractice(), { ...account, last4: '1111' }).id).not.toBe(id);
  });
});
