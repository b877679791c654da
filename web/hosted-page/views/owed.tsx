import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { formatAmount, formatShortName, formatTime, nameSize } from '../format.ts';
import { texts } from '../texts.ts';
import type { ViewProps } from '../view-of.ts';

/** Who asks for how much, and the way to pay it. */
export function Owed({ page: { session, notice }, actions }: ViewProps) {
  const { openedAt, expiresAt } = session;
  return (
    <>
      <h1 tabIndex={-1} class="amount-due">
        {texts.owed.heading} <span class={nameSize(session.practice.name)}>{session.practice.name}</span> <span class="amount">{formatAmount(session)}</span>
      </h1>
      <Facts
        facts={[
          [texts.owed.invoice, session.invoiceId],
          [texts.owed.patient, formatShortName(session.patient)],
        ]}
      />
      <Notice text={notice && texts.notice(notice)} />
      <button type="button" class="primary" onClick={actions.startSignIn}>
        {texts.owed.connect}
      </button>
      <p class="hint">{texts.owed.next}</p>
      <p class="hint">{openedAt === undefined ? texts.owed.linkEnds(formatTime(expiresAt)) : texts.owed.finishBy(formatTime(expiresAt))}</p>
    </>
  );
}
