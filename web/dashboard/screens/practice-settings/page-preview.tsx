import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../../../functions/contract/sessions/session-view.ts';
import { allows, usePractice } from '../../practice.ts';
import { applyBrand } from '../../../hosted-page/brand.ts';
import { Frame } from '../../../hosted-page/parts/frame.tsx';
import { viewOf } from '../../../hosted-page/view-of.ts';
import type { SettingsValues, lifetimesOf } from '../../settings-form.ts';
import { Button } from '../../parts/button.tsx';

const examples = { Invoice: invoiceOf, Receipt: receiptOf };
const exampleNames = ['Invoice', 'Receipt'] as const;

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
  askForNewLink: never,
  reload: never,
};

/** The payment page's own parts, as patients see them. Nothing in it can be used. */
export function PagePreview({ practice }: { readonly practice: Shown }) {
  const { role } = usePractice();
  const [example, setExample] = useState<keyof typeof examples>('Invoice');
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
          {exampleNames.map((name) => (
            <Button key={name} kind="plain" aria-pressed={example === name} onClick={() => setExample(name)}>
              {name}
            </Button>
          ))}
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

type Shown = Omit<SettingsValues, 'linkLifetimeDays'> &
  ReturnType<typeof lifetimesOf> & { logoUrl: string | undefined; sandbox: boolean };

const patient = { firstName: 'Maria', lastNameInitial: 'L' };

function invoiceOf(shown: Shown): SessionView {
  const { linkLifetimeDays, sessionLifetimeSeconds, sandbox } = shown;
  return {
    status: 'pending',
    amountCents: 18_250,
    currency: 'USD',
    invoiceId: 'INV-1043',
    patient,
    practice: practiceOf(shown),
    // Slightly less, so that it is shown as whole days.
    expiresAt: new Date(Date.now() + linkLifetimeDays * 86_400_000 + 60_000).toISOString(),
    sessionLifetimeSeconds,
    bankConnectionAttemptsRemaining: 5,
    sandbox,
  };
}

function receiptOf(practice: Shown): SessionView {
  const { name, supportPhone, supportEmail } = practiceOf(practice);
  const { sessionLifetimeSeconds: _lifetime, ...invoice } = invoiceOf(practice);
  const today = new Date().toISOString();
  return {
    ...invoice,
    status: 'succeeded',
    patient: { ...patient, lastName: 'Lopez' },
    bankAccount: { bankName: 'Example Bank', accountType: 'checking', last4: '6789' },
    receipt: {
      receiptNumber: 'RCP-4F7K2M9Q',
      authorizedAt: today,
      settledAt: today,
      authorizationText: `I authorize ${name} and its payment processor to electronically debit my checking account at Example Bank ending in 6789 once, for $182.50, for invoice INV-1043.`,
      authorizationLocale: 'en',
      practice: { name, supportPhone, supportEmail },
      statementText: name.toUpperCase().slice(0, 16),
    },
  };
}

function practiceOf({ name, primaryColor, logoUrl, ...texts }: Shown): SessionView['practice'] {
  const { supportPhone, supportEmail, postalAddress, privacyUrl, termsUrl } = texts;
  return {
    name: name.trim() === '' ? 'Your practice' : name,
    primaryColor,
    ...(logoUrl !== undefined && { logoUrl }),
    ...(supportPhone !== '' && { supportPhone, supportPhoneUri: 'tel:' }),
    ...(supportEmail !== '' && { supportEmail }),
    ...(postalAddress !== '' && { postalAddress }),
    ...(privacyUrl !== '' && { privacyUrl }),
    ...(termsUrl !== '' && { termsUrl }),
  };
}
