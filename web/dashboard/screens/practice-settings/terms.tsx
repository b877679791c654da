import { useState } from 'preact/hooks';
import { call, isAboutSignIn, type ApiProblem } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Time } from '../../parts/time.tsx';
import { allows, usePractice } from '../../practice.ts';

/** If you change the terms, also change their version in functions/domain/practices/practice.ts. */
export const terms = {
  version: '2026-11-21',
  points: [
    'You collect only what your patients owe you for services, and send each payment link only to the patient who owes it.',
    'You debit a bank account only as its owner authorized. You keep the authorization for two years after it ends, and show it to the bank on request; the service keeps it for you.',
    'You stop a debit when the patient revokes it in time, and refund what was debited by mistake.',
    'Banks can return a debit: within two days for lack of funds, within 60 days if the owner says that it was not authorized. What was returned, and Stripe’s fee for it, is taken from your deposits or your bank account.',
    'You keep your return rates below the ceilings of Nacha, the network’s operator: 0.5 % unauthorized, 3 % administrative, 15 % in all. Above them, live payments may be stopped.',
    'You put no medical facts into invoice numbers, metadata or the practice’s name. Patients’ names and amounts are protected health information: you and whoever runs this service have signed a business associate agreement.',
    'You keep API keys and signing secrets secret, and remove members who leave.',
    'Stripe moves the money, under terms of its own, which you accept on its page.',
  ],
} as const;

/** The terms of live payments. */
export function Terms() {
  const { role, settings } = usePractice();
  const accepted = settings.termsAccepted;
  const isCurrent = accepted?.version === terms.version;
  return (
    <Panel title="Terms" note={`Version ${terms.version}, between the practice and whoever runs this service.`}>
      <details open={!isCurrent}>
        <summary>What you agree to</summary>
        <ul>
          {terms.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </details>
      {accepted && (
        <Notice
          kind={isCurrent ? 'good' : 'warning'}
          title={isCurrent ? 'Accepted' : `Version ${accepted.version} was accepted, but not this one`}
        >
          <p>
            By {accepted.by}, <Time at={accepted.at} />.
          </p>
        </Notice>
      )}
      {!isCurrent && (allows(role, 'admin') ? <Accept /> : <p class="quiet">An admin has to accept them.</p>)}
    </Panel>
  );
}

function Accept() {
  const { practiceId, name, reloadSettings } = usePractice();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  async function accept() {
    setBusy(true);
    setProblem(undefined);
    const { version } = terms;
    const answer = await call('acceptTerms', { params: { practiceId }, body: { version } });
    if (answer.ok) {
      await reloadSettings();
      announce('The terms are accepted.');
    } else if (!isAboutSignIn(answer.problem.code)) setProblem(answer.problem);
    setBusy(false);
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <p>Accept only if you may sign for {name}. Your name and the time are recorded.</p>
      <div class="actions">
        <Button kind="primary" busy={busy} onClick={() => void accept()}>
          Accept the terms
        </Button>
      </div>
    </>
  );
}
