import { bankPickerTexts } from '../language.ts';
import { OtherSite } from './other-site.tsx';

export function PickerProvider() {
  return (
    <p class="imprint">
      {bankPickerTexts.about}
      <br />
      <OtherSite url="https://stripe.com/legal/end-users">{bankPickerTexts.terms}</OtherSite>
      <OtherSite url="https://stripe.com/privacy">{bankPickerTexts.privacy}</OtherSite>
    </p>
  );
}
