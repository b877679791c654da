import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { bankPickerTexts, sandboxBankTexts, texts } from '../language.ts';
import type { NoticeName } from '../page-state.ts';

const calm: readonly (NoticeName | undefined)[] = [
  'checking_payment',
  'payment_not_seen',
  'picking_bank',
  'picker_silent',
  'picker_closed',
];

const ofBank =
  builtForMode === 'live' ? bankPickerTexts.notices : { bank_connection_failed: sandboxBankTexts.bankConnectionFailed };

/** Always rendered: screen readers announce only changes inside an existing element. */
export function Notice({
  name,
  id,
  children,
}: {
  name: NoticeName | undefined;
  id?: string;
  children?: ComponentChildren;
}) {
  const said: Partial<Record<NoticeName, string>> = { ...texts.notices, ...ofBank };
  return (
    <div role="alert" id={id} class={calm.includes(name) ? 'notice waiting' : 'notice'}>
      {name && (said[name] ?? texts.otherNotice)}
      {name && children}
    </div>
  );
}

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
