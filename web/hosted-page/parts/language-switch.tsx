import { otherLanguage, otherLanguageName } from '../language.ts';

/** Leads to the same page, at the same step, in the other language. The address keeps the choice, so that nothing is stored. */
export function LanguageSwitch() {
  return (
    <a class="language" href={`?lang=${otherLanguage}${location.hash}`} lang={otherLanguage} hreflang={otherLanguage}>
      {otherLanguageName}
    </a>
  );
}
