import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { texts } from '../texts.ts';

/** How to reach the practice: by phone where it has one, else by e-mail. */
export function Contact({ lead, practice }: { lead: string } & Pick<SessionView, 'practice'>) {
  return (
    <>
      {lead} <ContactLink practice={practice} />
    </>
  );
}

export function ContactLink({ practice: { name, supportPhone, supportEmail } }: Pick<SessionView, 'practice'>) {
  if (supportPhone !== undefined) return <a href={`tel:${supportPhone.replaceAll(/[^\d+]/g, '')}`}>{texts.contact.call(supportPhone)}</a>;
  if (supportEmail !== undefined) return <a href={`mailto:${supportEmail}`}>{texts.contact.write(supportEmail)}</a>;
  return <>{texts.contact.ask(name)}</>;
}
