import { useState } from 'preact/hooks';
import { call, isAboutSignIn, type ApiProblem } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Time } from '../../parts/time.tsx';
import { allows, usePractice } from '../../practice.ts';
import { terms } from '../../terms.ts';

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
