import type { ComponentChildren, VNode } from 'preact';
import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { texts, formatAmount } from '../language.ts';

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** One paragraph per line. Together they are exactly the text that was hashed. */
export function paragraphsOf(text: string): VNode[] {
  return (text.match(/.+\n?/g) ?? []).map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}

export function Bill({ session }: { session: SessionView }) {
  return (
    <Facts
      facts={[
        [texts.owed.invoice, session.invoiceId],
        [texts.receipt.amount, formatAmount(session)],
      ]}
    />
  );
}

export function AmountToPay({ session, children }: { session: SessionView; children?: string }) {
  return (
    <p class="hint">
      {texts.amountToPay}: <strong>{formatAmount(session)}</strong>
      {children && `. ${children}`}
    </p>
  );
}
