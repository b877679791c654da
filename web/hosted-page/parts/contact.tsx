import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { texts } from '../language.ts';

type Contacts = Pick<SessionView, 'practice'>;

/** A sentence; `purpose` ends it. */
export function Contact({ practice, purpose }: Contacts & { purpose?: string }) {
  const { supportPhone: phone, supportEmail: email } = practice;
  if (phone === undefined && email === undefined) return <>{texts.contact.ask}</>;
  return (
    <>
      {phone !== undefined && (
        <>
          {texts.contact.call} <a href={dialled(phone)}>{phone}</a>
        </>
      )}{' '}
      {email !== undefined && (
        <>
          {phone === undefined ? texts.contact.write : texts.contact.or} <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      {purpose && ` ${purpose}.`}
    </>
  );
}

/** Below words that ask the patient to contact the practice. */
export function ContactButton({ practice }: Contacts) {
  const { supportPhone: phone, supportEmail: email } = practice;
  if (phone === undefined && email === undefined) return <p>{texts.contact.ask}</p>;
  return (
    <a class="secondary" href={phone === undefined ? `mailto:${email}` : dialled(phone)}>
      {phone === undefined ? texts.contact.write : texts.contact.callButton} {phone ?? email}
    </a>
  );
}

function dialled(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
