import { sha256 } from './identifier.ts';
import { formatDollars } from './money.ts';
import type { Practice } from './practice.ts';
import type { BankAccount, Session } from './session.ts';

export const authorizationTemplateVersion = '2026-11-20.en';

function contact({ supportPhone, supportEmail }: Practice): string {
  const ways = [supportPhone && `calling ${supportPhone}`, supportEmail && `writing to ${supportEmail}`].filter(Boolean);
  return ways.length > 0 ? ways.join(' or ') : 'contacting the practice';
}

/**
 * The one-time authorisation that the patient accepts: one named amount, one debit, how to revoke it (Nacha rules for WEB entries).
 * Its id is its hash, so whoever pays proves which text was on the screen.
 */
export function renderAuthorization(current: Session, practice: Practice, account: BankAccount): { id: string; text: string; templateVersion: string; locale: string } {
  const amount = formatDollars(current.amountCents);
  const text =
    `I authorize ${practice.name} and its payment processor to electronically debit my ${account.accountType} account at ${account.bankName} ` +
    `ending in ${account.last4} once, for ${amount}, for invoice ${current.invoiceId}, on or after today, and, if necessary, to credit my account ` +
    `to correct an erroneous debit. I am an owner or authorized signer of this account. I can revoke this authorization by ${contact(practice)} ` +
    `before the debit is sent to my bank, which may be within hours. If the debit is returned unpaid, I still owe the amount.`;
  return { id: sha256(text), text, templateVersion: authorizationTemplateVersion, locale: 'en' };
}
