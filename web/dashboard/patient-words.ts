import type { SessionDetail } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDollars } from './format.ts';

/** What patients read is in their language. The dashboard is in English. */
export type Language = NonNullable<SessionDetail['locale']>;

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Spanish' };
export const languageOptions = (['en', 'es'] as const).map((value) => ({ value, label: languageNames[value] }));

/** The language of the page behind a link. Undefined if it is the patient's browser language. */
export function languageOf(hostedUrl: string): Language | undefined {
  const chosen = new URL(hostedUrl).searchParams.get('lang');
  return chosen === 'en' || chosen === 'es' ? chosen : undefined;
}

interface Bill {
  readonly practice: string;
  readonly amountCents: number;
  /** The practice's own number. */
  readonly phone?: string | undefined;
}

interface PatientWords {
  readonly and: string;
  readonly subject: (practice: string) => string;
  readonly payHere: (practice: string, amount: string) => string;
  readonly unpaid: (practice: string, amount: string, deadline: string) => string;
  readonly isItReal: string;
  readonly isItRealOrLost: string;
  readonly call: (phone: string) => string;
  readonly callWithoutNumber: string;
  readonly slip: Readonly<Record<'patient' | 'invoice' | 'amount' | 'payBy' | 'how' | 'questions' | 'or', string>>;
}

/**
 * Uses only letters of the SMS alphabet, which has é and ñ, but not á, í, ó and ú: a single one of those makes a message cost
 * twice as much. Somebody reading over a shoulder learns neither name nor invoice.
 */
const words: Readonly<Record<Language, PatientWords>> = {
  en: {
    and: 'and',
    subject: (practice) => `Your bill from ${practice}`,
    payHere: (practice, amount) => `Hello from ${practice}. You can pay your bill of ${amount} here:`,
    unpaid: (practice, amount, deadline) =>
      `Hello from ${practice}. Your bill of ${amount} has not been paid yet. Until ${deadline}, you can pay it with the link we sent you.`,
    isItReal: 'Not sure this is real?',
    isItRealOrLost: "Can't find the link, or not sure this is real?",
    call: (phone) => `Call us at ${phone}.`,
    callWithoutNumber: 'Call the number on your bill.',
    slip: {
      patient: 'Patient',
      invoice: 'Invoice',
      amount: 'Amount',
      payBy: 'Pay by',
      how: "Pay from your bank account: scan this code with your phone's camera, or type the address below.",
      questions: 'Questions?',
      or: 'or',
    },
  },
  es: {
    and: 'y',
    subject: (practice) => `Su factura de ${practice}`,
    payHere: (practice, amount) =>
      `Hola, le escribimos de ${practice}. Puede pagar su factura de ${amount} en este enlace:`,
    unpaid: (practice, amount, deadline) =>
      `Hola, le escribimos de ${practice}. Su factura de ${amount} sigue pendiente. Hasta el ${deadline}, puede pagarla con el enlace que le enviamos.`,
    isItReal: '¿Duda que este mensaje sea real?',
    isItRealOrLost: '¿No encuentra el enlace o duda que este mensaje sea real?',
    call: (phone) => `Llame al ${phone}.`,
    callWithoutNumber: 'Llame al teléfono que aparece en su factura.',
    slip: {
      patient: 'Paciente',
      invoice: 'Factura',
      amount: 'Monto',
      payBy: 'Fecha límite',
      how: 'Pague desde su cuenta bancaria: escanee este código con la cámara de su teléfono o escriba la dirección que aparece abajo.',
      questions: '¿Tiene preguntas?',
      or: 'o',
    },
  },
};

export function slipWords(language: Language): PatientWords['slip'] {
  return words[language].slip;
}

export interface Message {
  readonly subject: string;
  readonly text: string;
}

/** The message for a link that can be paid. */
export function linkMessage({ practice, amountCents, phone }: Bill, language: Language, hostedUrl: string): Message {
  const { subject, payHere, isItReal } = words[language];
  const lines = [payHere(practice, formatDollars(amountCents)), hostedUrl, `${isItReal} ${callWords(phone, language)}`];
  return { subject: subject(practice), text: lines.join('\n') };
}

/** The message about a link that the patient already has. The link itself is shown only when it is made. */
export function reminder({ practice, amountCents, phone }: Bill, language: Language, deadline: string): Message {
  const { subject, unpaid, isItRealOrLost } = words[language];
  const lines = [
    unpaid(practice, formatDollars(amountCents), deadline),
    `${isItRealOrLost} ${callWords(phone, language)}`,
  ];
  return { subject: subject(practice), text: lines.join('\n') };
}

function callWords(phone: string | undefined, language: Language): string {
  const { call, callWithoutNumber } = words[language];
  return phone === undefined ? callWithoutNumber : call(phone);
}

/** Uses plain spaces: the narrow ones before "AM" and in "a. m." are not in the SMS alphabet. */
export function formatDeadline(time: string, timeZone: string, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(new Date(time)).replaceAll(/\s/g, ' ');
}

/**
 * Opens a text message for a number that the user adds. iPhones look for `&body`, other phones for `?`. Some Android phones cut
 * the text at an ampersand, encoded or not, and with it the link.
 */
export function smsLink({ text }: Message, language: Language): string {
  return `sms:?&body=${encodeURIComponent(text.replaceAll(/ *& */g, ` ${words[language].and} `))}`;
}

/** Opens an email for an address that the user adds. RFC 6068 wants CRLF. */
export function mailLink({ subject, text }: Message): string {
  const body = text.replaceAll('\n', '\r\n');
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
