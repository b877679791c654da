import { encode } from 'uqr';
import { useState, useId } from 'preact/hooks';
import { formatDollars } from '../format.ts';
import {
  formatDeadline,
  languageOf,
  linkMessage,
  slipWords,
  type Language,
  languageOptions,
  mailLink,
  smsLink,
  type Message,
} from '../patient-words.ts';
import { usePractice, useSettings } from '../practice.ts';
import { fullName, type Patient } from '../session-words.ts';
import { Button, ButtonLink } from './button.tsx';
import { CopyField, CopyButton } from './copy.tsx';
import { SelectField } from './field.tsx';

interface PaymentLinkProps {
  readonly hostedUrl: string;
  readonly invoiceId: string;
  readonly amountCents: number;
  readonly patient: Patient | undefined;
  /** What there is to see once nothing is left to pay. */
  readonly shows?: string;
  /** Absent if the link cannot be paid. */
  readonly expiresAt?: string;
}

/** A link that is shown only once: to copy, send, scan or print for the patient. */
export function PaymentLink(link: PaymentLinkProps) {
  const { hostedUrl, expiresAt } = link;
  const also = expiresAt === undefined ? link.shows : 'pay';
  return (
    <div class="payment-link">
      <QrCode text={hostedUrl} />
      <div class="payment-link-words">
        <CopyField label="Payment link" text={hostedUrl} action="Copy link" />
        <p class="quiet">
          Send it only to the patient: whoever has it can see the invoice
          {also !== undefined && ` and ${also}`}. It is shown only once. If it gets lost, replace it on the payment's
          page.
        </p>
        <p>
          <a href={hostedUrl} target="_blank" rel="noreferrer">
            Open as the patient
          </a>
        </p>
      </div>
      {expiresAt !== undefined && <ForPatient {...link} expiresAt={expiresAt} />}
    </div>
  );
}

type Payable = PaymentLinkProps & { readonly expiresAt: string };

function ForPatient(link: Payable) {
  const { name } = usePractice();
  const { settings } = useSettings();
  const chosen = languageOf(link.hostedUrl);
  const [language, setLanguage] = useState(chosen ?? 'en');
  const bill = { practice: name, amountCents: link.amountCents, phone: settings.supportPhone };
  return (
    <>
      <div class="for-patient">
        {chosen === undefined && (
          <MessageLanguage of="Language of message and slip" value={language} set={setLanguage} />
        )}
        <PatientMessage {...linkMessage(bill, language, link.hostedUrl)} language={language} />
        <div class="actions">
          <Button onClick={() => print()}>Print a slip</Button>
        </div>
      </div>
      <Slip {...link} language={language} />
    </>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the payment link">
      <path d={dark.join('')} />
    </svg>
  );
}

/** Shown only on paper. */
function Slip({
  hostedUrl,
  invoiceId,
  amountCents,
  patient,
  expiresAt,
  language,
}: Payable & { readonly language: Language }) {
  const { name, timeZone } = usePractice();
  const { settings } = useSettings();
  const words = slipWords(language);
  const facts = [
    [words.patient, patient && fullName(patient)],
    [words.invoice, invoiceId],
    [words.amount, formatDollars(amountCents)],
    [words.payBy, formatDeadline(expiresAt, timeZone, language)],
  ];
  const contacts = [settings.supportPhone, settings.supportEmail].filter((contact) => contact !== undefined);
  return (
    <article class="slip on-paper" lang={language} translate={false}>
      <h2>{name}</h2>
      <dl>
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p>{words.how}</p>
      <QrCode text={hostedUrl} />
      <p class="slip-link">{hostedUrl}</p>
      {contacts.length > 0 && (
        <p>
          {words.questions} {contacts.join(` ${words.or} `)}
        </p>
      )}
    </article>
  );
}

interface MessageLanguageProps {
  readonly of: string;
  readonly value: Language;
  readonly set: (language: Language) => void;
}

/** Shown for a link whose page uses the patient's browser language. */
export function MessageLanguage({ of, value, set }: MessageLanguageProps) {
  // A dialog can show this field in front of a new link that shows it too.
  const id = useId();
  return <SelectField field={{ id, value, set }} label={of} options={languageOptions} />;
}

export function PatientMessage({ language, ...message }: Message & { readonly language: Language }) {
  return (
    <div class="patient-message">
      <p class="label">Message to the patient</p>
      <p class="copy-text" lang={language} translate={false}>
        {message.text}
      </p>
      <div class="actions">
        <CopyButton text={message.text} label="Copy message" words="Copy message" />
        <ButtonLink href={smsLink(message, language)}>Text it</ButtonLink>
        <ButtonLink href={mailLink(message)}>Email it</ButtonLink>
      </div>
      <p class="quiet">
        “Text it” and “Email it” open your own program with this message: add the patient's number or address there. We
        send and store nothing. If no program opens, copy the message.
      </p>
    </div>
  );
}
