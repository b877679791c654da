import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

export function UnknownLink() {
  return (
    <Outcome tone="neutral" heading={texts.unknownLink.heading}>
      <p>{texts.unknownLink.next}</p>
    </Outcome>
  );
}
