import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { practiceName } from '../format.ts';
import { language, texts } from '../language.ts';
import { OtherSite } from './other-site.tsx';

declare const operatorName: string;

/** Who runs the page, and under which terms. */
export function Imprint({ session }: { session: SessionView }) {
  return (
    <p class="imprint">
      {texts.operator(operatorName, practiceName(session))}
      {Object.entries(texts.legal).map(([page, words]) => (
        <>
          {' '}
          <OtherSite url={`/${page}?lang=${language}`}>{words}</OtherSite>
        </>
      ))}
    </p>
  );
}
