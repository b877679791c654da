import type { Evidence } from '../domain/payments/evidence.ts';
import type { Locale } from '../domain/locale.ts';
import type { Mail } from '../messages/team/mail.ts';

type Copied = Pick<Evidence, 'text' | 'locale' | 'payee' | 'sessionId' | 'authorizedAt'>;

const words: Readonly<
  Record<Locale, Readonly<Record<'subject' | 'intro' | 'number' | 'at' | 'outcome' | 'questions', string>>>
> = {
  en: {
    subject: 'Copy of your payment authorization for',
    intro: 'You asked for this copy. You authorized:',
    number: 'Reference number',
    at: 'Authorized',
    outcome: 'Open your payment link to see whether the payment went through. We send no other mail about it.',
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

/** In the language of the accepted text. */
export function copyMail({ text, locale, payee, sessionId, authorizedAt }: Copied, timeZone: string): Omit<Mail, 'to'> {
  const said = words[locale];
  const when = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'long' });
  const contact = [payee.name, payee.supportPhone, payee.supportEmail].filter((part) => part !== undefined);
  return {
    subject: `${said.subject} ${payee.name}`,
    text: `${said.intro}

${text}

${said.number}: ${sessionId.slice(-10)}
${said.at}: ${when.format(Date.parse(authorizedAt))}

${said.outcome}

${said.questions} ${contact.join(', ')}
`,
  };
}
