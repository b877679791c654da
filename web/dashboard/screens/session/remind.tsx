import { useState } from 'preact/hooks';
import type { SessionDetail } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, type DialogAbout } from '../../parts/dialog.tsx';
import { Time } from '../../parts/facts.tsx';
import { MessageLanguage, PatientMessage } from '../../parts/payment-link.tsx';
import { formatDeadline, reminder } from '../../patient-words.ts';
import { usePractice, useSettings } from '../../practice.ts';

/** Calls `done` if the patient needs a new link instead. */
export function RemindDialog({ of, done, close }: DialogAbout<SessionDetail>) {
  const { name, timeZone } = usePractice();
  const { settings } = useSettings();
  const { session, locale } = of;
  const { amountCents, openedAt, expiresAt } = session;
  const [language, setLanguage] = useState(locale ?? 'en');
  const bill = { practice: name, amountCents, phone: settings.supportPhone };
  return (
    <Dialog title={`Remind the patient of invoice ${session.invoiceId}`} close={close}>
      <p>
        {openedAt === undefined ? (
          <>
            The patient has not started to pay. The link works until <Time at={expiresAt} as="time with zone" />.
          </>
        ) : (
          <>
            The patient started to pay on <Time at={openedAt} /> and has until{' '}
            <Time at={expiresAt} as="time with zone" />. After that, make a new payment link.
          </>
        )}
      </p>
      {locale === undefined && <MessageLanguage of="Language of the message" value={language} set={setLanguage} />}
      <PatientMessage
        {...reminder(bill, language, formatDeadline(expiresAt, timeZone, language))}
        language={language}
      />
      <p>
        This message has no link, because a link is shown only when it is made. If the patient has lost it, replace it:
        the new one comes with a message of its own.
      </p>
      <div class="actions">
        <Button onClick={() => done()}>Replace link</Button>
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  );
}
