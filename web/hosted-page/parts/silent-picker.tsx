import { useState } from 'preact/hooks';
import { bankPickerTexts } from '../language.ts';

/** Browsers inside other apps often block what a bank's sign-in needs. */
export function SilentPicker() {
  const [copied, setCopied] = useState<'yes' | 'no'>();
  const copy = () =>
    // Absent in many of these browsers.
    navigator.clipboard?.writeText(location.href).then(
      () => setCopied('yes'),
      () => setCopied('no'),
    ) ?? setCopied('no');
  return (
    <>
      <p class="hint">{bankPickerTexts.otherBrowser}</p>
      {copied === 'no' ? (
        <p class="link-to-copy" translate={false}>
          {location.href}
        </p>
      ) : (
        <button type="button" class="secondary" onClick={copy}>
          <span role="status">{copied === 'yes' ? bankPickerTexts.copied : bankPickerTexts.copyLink}</span>
        </button>
      )}
    </>
  );
}
