import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { texts } from '../texts.ts';

/** How to reach the practice: the ways that it has given, else its name. */
export function Contact({ name, supportPhone: phone, supportEmail: email }: SessionView['practice']) {
  if (phone === undefined && email === undefined) return <>{texts.contact.ask(name)}</>;
  return (
    <>
      {phone !== undefined && (
        <>
          {texts.contact.call} <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>{' '}
        </>
      )}
      {email !== undefined && (
        <>
          {phone === undefined ? texts.contact.write : texts.contact.or} <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
    </>
  );
}
