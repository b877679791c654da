import { otherLanguage, otherLanguageName } from '../language.ts';

export function LanguageSwitch() {
  return (
    <a class="language" href={`?lang=${otherLanguage}${location.hash}`} lang={otherLanguage} hreflang={otherLanguage}>
      {otherLanguageName}
    </a>
  );
}
