import type { Author } from '../domain/team/audit-entry.ts';
import type { Invitation } from '../domain/team/invitation.ts';
import type { Mail } from '../messages/team/mail.ts';
import { onOneLine } from './mails.ts';

interface Facts extends Pick<Invitation, 'email' | 'role'> {
  readonly practiceName: string;
  readonly invitationUrl: string;
  readonly author: Author;
  readonly createsAccount: boolean;
}

export function invitationMail({ practiceName, invitationUrl, email, role, author, createsAccount }: Facts): Mail {
  const inviter = author.kind === 'user' && author.email !== undefined ? onOneLine(author.email) : undefined;
  return {
    to: email,
    subject: `Join ${practiceName}`,
    text: `${inviter ?? 'The payment service'} invites you to the payment dashboard of ${practiceName}. Your role: ${role}.

Open this link within 7 days. It works once, and replaces any earlier invitation:
${invitationUrl}
${createsAccount ? '\nIf you have no account yet, a separate email has your temporary password.\n' : ''}
If you did not expect this, ignore it.
`,
  };
}
