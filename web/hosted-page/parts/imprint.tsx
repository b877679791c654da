import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { practiceName } from '../format.ts';
import { language, texts } from '../language.ts';

declare const operatorName: string;

/** Who runs the page, and links to the legal pages: the practice's own if it has them. */
export function Imprint({ session }: { session: SessionView }) {
  const { privacyUrl, termsUrl } = session.practice;
  const ofPractice: Readonly<Record<string, string | undefined>> = { privacy: privacyUrl, terms: termsUrl };
  return (
    <p class="imprint">
      {texts.operator(operatorName, practiceName(session))}
      <br />
      {Object.entries(texts.legal).map(([page, words]) => {
        const own = ofPractice[page];
        return (
          <OtherSite key={page} url={own ?? `/${page}?lang=${language}`}>
            {own ? texts.ofPractice(words) : words}
          </OtherSite>
        );
      })}
    </p>
  );
}

/** Opens in a new tab, so that this one keeps its step. */
export function OtherSite({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
