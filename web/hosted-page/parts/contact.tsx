import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { texts } from '../language.ts';

type Contacts = Pick<SessionView, 'practice'>;

const words = texts.contact;

/** A sentence that ends with `purpose`. `practice` is undefined before the first answer. */
export function Contact({ practice, purpose }: { practice: Contacts['practice'] | undefined; purpose: string }) {
  const { supportPhone: phone = '', supportPhoneUri, supportEmail: email = '' } = practice ?? {};
  if (!phone && !email) return <>{words.ask}</>;
  return (
    <>
      {phone && (
        <>
          {words.call} {supportPhoneUri ? <a href={supportPhoneUri}>{phone}</a> : phone}
        </>
      )}
      {email && (
        <>
          {phone ? ` ${words.or}` : words.write} <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      {purpose && ` ${purpose}.`}
    </>
  );
}

/** Shown below a request to contact the practice, instead of the footer's contact: see `callingViews`. */
export function ContactButtons({ practice: { supportPhone: phone, supportPhoneUri, supportEmail: email } }: Contacts) {
  if (!supportPhoneUri && !email) return <p>{words.ask}</p>;
  return (
    <>
      {supportPhoneUri && (
        <a class="secondary" href={supportPhoneUri}>
          {words.callButton} {phone}
        </a>
      )}
      {email && (
        <a class="secondary" href={`mailto:${email}`}>
          {words.write} {email}
        </a>
      )}
    </>
  );
}
