import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { applyBrand } from '../../../hosted-page/brand.ts';
import { Frame } from '../../../hosted-page/parts/frame.tsx';
import { viewOf } from '../../../hosted-page/view-of.ts';
import { allows, usePractice } from '../../practice.ts';
import { invoiceOf, receiptOf, type Shown } from './example-sessions.ts';

const examples = { invoice: invoiceOf, receipt: receiptOf };

const nothing = () => undefined;
const never = () => Promise.resolve();
const actions = {
  startBankStep: nothing,
  goToBankStep: nothing,
  leaveBankStep: nothing,
  connectBank: never,
  namePayer: async () => false,
  authorizePayment: never,
  askForMoreTime: never,
  reload: never,
};

/** The payment page's own parts, as patients see them. Nothing in it can be used. */
export function PagePreview({ practice }: { readonly practice: Shown }) {
  const { role } = usePractice();
  const [example, setExample] = useState<keyof typeof examples>('invoice');
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? openShadow(host.current);
    const session = examples[example](practice);
    const page = { kind: 'session', session, bankStep: undefined, busy: false, notice: undefined } as const;
    const View = viewOf(page);
    render(
      <Frame session={session} offline={false}>
        <View page={page} actions={actions} />
      </Frame>,
      root,
    );
    applyBrand(host.current, practice.primaryColor);
  }, [practice, example]);
  // Unmounts the page, which stops its timers.
  useEffect(() => {
    const shadow = host.current?.shadowRoot;
    return () => shadow && render(null, shadow);
  }, []);
  return (
    <section class="preview" aria-labelledby="preview-heading">
      <div class="panel-head">
        <h2 id="preview-heading">What patients see</h2>
        <div class="actions" role="group" aria-label="Example">
          <Choice chosen={example === 'invoice'} choose={() => setExample('invoice')}>
            Invoice
          </Choice>
          <Choice chosen={example === 'receipt'} choose={() => setExample('receipt')}>
            Receipt
          </Choice>
        </div>
      </div>
      <div class="phone" role="group" aria-label="Example of the payment page" tabIndex={0}>
        <div ref={host} class="page" inert />
      </div>
      <p class="quiet">
        An example with a made-up patient.{' '}
        {allows(role, 'admin') && 'It follows what you type; patients see it once you save.'}
      </p>
    </section>
  );
}

interface ChoiceProps {
  readonly chosen: boolean;
  readonly choose: () => void;
  readonly children: string;
}

function Choice({ chosen, choose, children }: ChoiceProps) {
  return (
    <button type="button" class="button plain" aria-pressed={chosen} onClick={choose}>
      {children}
    </button>
  );
}

function openShadow(host: Element): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [pageStyle()];
  return root;
}

declare const hostedPageStyle: string;

/** The payment page's own style, adapted to a shadow root at a phone's width. */
function pageStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(hostedPageStyle.replaceAll(':root', ':host'));
  for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
    const rule = sheet.cssRules[index];
    // The frame is narrow, however wide the window is.
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('width')) sheet.deleteRule(index);
  }
  return sheet;
}
