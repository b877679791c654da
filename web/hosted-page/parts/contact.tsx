import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';

export function Contact({ session }: { session: SessionView }) {
  const { supportPhone: phone, supportEmail: email } = session.practice;
  if (phone === undefined && email === undefined) return <>{texts.contact.ask(practiceName(session))}</>;
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
    </>
  );
}

export function CallButton({ practice: { supportPhone: phone } }: Pick<SessionView, 'practice'>) {
  if (phone === undefined) return null;
  return (
    <a class="secondary" href={dialled(phone)}>
      {texts.contact.call} {phone}
    </a>
  );
}

function dialled(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
