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
      <button type="button" class="secondary" onClick={copy}>
        {bankPickerTexts.copyLink}
      </button>
      <p role="status" class="link-to-copy" translate={copied !== 'no'}>
        {copied && (copied === 'yes' ? bankPickerTexts.copied : location.href)}
      </p>
    </>
  );
}
