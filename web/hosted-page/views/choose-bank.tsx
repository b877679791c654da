import { AmountToPay } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { TimeWarning } from '../parts/time-left.tsx';
import { sandboxBankTexts as texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export const sandboxBanks = [
  { step: 'sandbox_bank', name: 'Sandbox Bank' },
  { step: 'unavailable_bank', name: 'Unavailable Bank' },
] as const;

export function ChooseBank({ page, actions }: ViewProps) {
  return (
    <>
      <h1 tabIndex={-1}>{texts.chooseHeading}</h1>
      <AmountToPay session={page.session} />
      <p class="test-only">{texts.testOnly}</p>
      <Notice name={page.notice} />
      <TimeWarning page={page} actions={actions} />
      {sandboxBanks.map(({ step, name }) => (
        <button type="button" class="secondary" key={step} onClick={() => actions.goToBankStep(step)}>
          {name}
        </button>
      ))}
      <button type="button" class="plain" onClick={actions.leaveBankStep}>
        {texts.back}
      </button>
    </>
  );
}
