import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { texts } from '../language.ts';

/** How to reach the practice: the ways that it has given, else its name. */
export function Contact({ name, supportPhone: phone, supportEmail: email }: SessionView['practice']) {
  if (phone === undefined && email === undefined) return <>{texts.contact.ask(name)}</>;
  return (
    <>
      {phone !== undefined && <Phone practice={name} phone={phone} />}{' '}
      {email !== undefined && (
        <>
          {phone === undefined ? texts.contact.write : texts.contact.or} <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
    </>
  );
}

/** A practice's phone is free text: what holds no number, such as "call us", is shown and not dialled. */
function Phone({ practice, phone }: { practice: string; phone: string }) {
  const number = numberIn(phone);
  if (number === undefined) return <>{texts.contact.askBy(practice, phone)}</>;
  return (
    <>
      {texts.contact.call} <a href={`tel:${number}`}>{phone}</a>
    </>
  );
}

/** The next step where only the practice can help; nothing where it has no phone that can be dialled. */
export function CallButton({ practice: { supportPhone = '' } }: Pick<SessionView, 'practice'>) {
  const number = numberIn(supportPhone);
  if (number === undefined) return null;
  return (
    <a class="secondary" href={`tel:${number}`}>
      {texts.contact.call} {supportPhone}
    </a>
  );
}

/** The first number of at least seven digits, without the extension or opening hours that may follow it. */
function numberIn(phone: string): string | undefined {
  const numbers = phone.match(/\+?[\d\s().-]+/g) ?? [];
  return numbers.map((number) => number.replaceAll(/[^\d+]/g, '')).find((number) => number.length >= 7);
}
