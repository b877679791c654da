import { useId } from 'preact/hooks';
import { languageOptions, mailLink, smsLink, type Language, type Message } from '../patient-words.ts';
import { ButtonLink } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { SelectField } from './field.tsx';

interface MessageLanguageProps {
  readonly of: string;
  readonly value: Language;
  readonly set: (language: Language) => void;
}

/** For a link whose page follows the patient's browser. */
export function MessageLanguage({ of, value, set }: MessageLanguageProps) {
  // A dialog can ask for it in front of a new link that does.
  const id = useId();
  return <SelectField field={{ id, value, set }} label={of} options={languageOptions} />;
}

/** A message that the staff send themselves. */
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
