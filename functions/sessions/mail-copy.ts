import { Problem } from '../contract/problem.ts';
import type { Evidence } from '../domain/payments/evidence.ts';
import type { Locale } from '../domain/locale.ts';
import { receiptNumberOf } from '../domain/sessions/session.ts';
import { logFault, logInfo } from '../log.ts';
import type { SendMail, Mail } from '../messages/team/mail.ts';
import type { ReadingTools } from '../store/database.ts';
import { recordCopyRequest } from '../store/sessions/patient-writes.ts';
import { requireLink, type LinkHolder } from './find.ts';
import { findEvidence } from './view.ts';

interface CopyTools extends ReadingTools {
  /** Sends at most once: a retry could send a second copy. */
  readonly sendMail: SendMail;
}

/** Emails the accepted text to whoever authorized the debit. The address is not stored or logged. */
export async function mailCopy(
  { database, sendMail }: CopyTools,
  { session, practice, email }: LinkHolder & { readonly email: string },
  now: number,
): Promise<void> {
  const evidence = await findEvidence({ database }, session);
  if (!evidence) throw new Problem('authorization_not_found', 'There is nothing to send a copy of.');
  const { sessionId } = session;
  // Recorded before the email is sent: a second request must not send it again, even if this one ends here.
  const { written } = requireLink(await recordCopyRequest(database, session, now));
  if (!written) throw new Problem('copy_already_mailed', 'Print or save the page for another copy.');
  try {
    await sendMail({ ...copyMail(evidence, practice.timeZone), to: email });
  } catch (error) {
    logFault('copy not mailed', error, { sessionId });
    throw new Problem('copy_not_mailed', 'Print or save the page instead.');
  }
  logInfo('copy mailed', { sessionId });
}

type Copied = Pick<Evidence, 'text' | 'locale' | 'payee' | 'sessionId' | 'authorizedAt'>;

const words: Readonly<
  Record<Locale, Readonly<Record<'subject' | 'intro' | 'number' | 'at' | 'outcome' | 'questions', string>>>
> = {
  en: {
    subject: 'Copy of your payment authorization for',
    intro: 'You asked for this copy. You authorized:',
    number: 'Reference number',
    at: 'Authorized',
    outcome: 'Open your payment link to see whether the payment went through. We will not send another email about it.',
    questions: 'Questions?',
  },
  es: {
    subject: 'Copia de su autorización de pago para',
    intro: 'Usted pidió esta copia. Usted autorizó:',
    number: 'Número de referencia',
    at: 'Autorizado',
    outcome: 'Abra su enlace de pago para ver si el pago se completó. No enviaremos otro correo al respecto.',
    questions: '¿Tiene preguntas?',
  },
};

/** Written in the language of the accepted text. */
function copyMail({ text, locale, payee, sessionId, authorizedAt }: Copied, timeZone: string): Omit<Mail, 'to'> {
  const said = words[locale];
  const when = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'long' });
  const contact = [payee.name, payee.supportPhone, payee.supportEmail].filter((part) => part !== undefined);
  return {
    subject: `${said.subject} ${payee.name}`,
    text: `${said.intro}

${text}

${said.number}: ${receiptNumberOf({ sessionId })}
${said.at}: ${when.format(Date.parse(authorizedAt))}

${said.outcome}

${said.questions} ${contact.join(', ')}
`,
  };
}
