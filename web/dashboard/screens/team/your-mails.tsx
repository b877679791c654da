import { useRef, useState } from 'preact/hooks';
import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { CheckboxesField } from '../../parts/choices.tsx';
import { Notice, ProblemNotice, announce } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { mailTopics, mailTopicWords, usePractice } from '../../practice.ts';
import { useProblem } from '../../use-answer.ts';

type Topic = Team['yourMails']['topics'][number];

const options = mailTopics.map((value) => ({ value, ...mailTopicWords[value] }));

/** Saves each choice at once. */
export function YourMails({ topics, sent }: Team['yourMails']) {
  const { practiceId, mode } = usePractice();
  const [chosen, setChosen] = useState<readonly Topic[]>(topics);
  const [problem, setProblem] = useProblem('changeMailTopics', 'Choose again.');
  const { current: saves } = useRef({ wanted: topics, stored: topics, running: false });
  /** One request at a time: of two, the older list could arrive last. */
  async function save(wanted: readonly Topic[]) {
    setChosen(wanted);
    saves.wanted = wanted;
    if (saves.running) return;
    saves.running = true;
    for (;;) {
      const mailTopics = saves.wanted;
      const answer = await call('changeMailTopics', { params: { practiceId }, body: { mailTopics } });
      if (answer.ok) saves.stored = mailTopics;
      if (saves.wanted !== mailTopics) continue;
      saves.running = false;
      setProblem(answer.ok ? undefined : answer.problem);
      if (answer.ok) announce('Your choice is saved.');
      else setChosen(saves.stored);
      return;
    }
  }
  return (
    <Panel title="Your emails">
      {!sent && (
        <Notice kind="warning" title="You get no emails">
          <p>
            This service sends none, or your account has no email address. Your choice is kept for when that changes.
            Until then, Home shows what needs attention.
          </p>
        </Notice>
      )}
      <CheckboxesField
        field={{ id: 'mail-topics', value: chosen, set: (wanted) => void save(wanted) }}
        label="Email me about"
        hint={`Emails name no patient and no invoice; they lead to the dashboard. At most 5 an hour of each kind. Admins also get an email about each change of ${mode === 'live' ? 'team, keys, webhooks, deposits and important settings' : 'team and webhooks'}, whatever they choose here.`}
        options={options}
      />
      {problem && <ProblemNotice problem={problem} />}
    </Panel>
  );
}
