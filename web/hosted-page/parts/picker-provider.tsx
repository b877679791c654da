import { bankPickerTexts } from '../language.ts';

export function PickerProvider() {
  return (
    <p class="provider">
      {bankPickerTexts.about} <OtherSite url="https://stripe.com/legal/end-users">{bankPickerTexts.terms}</OtherSite>
      {' · '}
      <OtherSite url="https://stripe.com/privacy">{bankPickerTexts.privacy}</OtherSite>
    </p>
  );
}

function OtherSite({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
