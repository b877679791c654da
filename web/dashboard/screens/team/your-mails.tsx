import { useRef, useState } from 'preact/hooks';
import type { Team } from '../../../../functions/contract/team/dashboard-team.ts';
import { call } from '../../api.ts';
import { CheckboxesField } from '../../parts/choices.tsx';
import type { Option } from '../../parts/field.tsx';
import { Notice, ProblemNotice, announce } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';
import { useProblem } from '../../use-answer.ts';

type Topic = Team['yourMails']['topics'][number];

const options: readonly Option<Topic>[] = [
  { value: 'payment_failed', label: 'Payments that failed' },
  { value: 'payment_returned', label: 'Payments that were returned, and refunds that failed' },
  { value: 'payment_refunded', label: 'Refunds that arrived' },
  {
    value: 'payment_arrived',
    label: 'Payments that arrived',
    hint: 'For practices with a few payments a day. If you have many, choose the daily summary.',
  },
  { value: 'link_requested', label: 'Patients who ask for a new link' },
  {
    value: 'endpoint_failing',
    label: 'Trouble reaching your software',
    hint: 'For whoever looks after your software.',
  },
  {
    value: 'daily_summary',
    label: 'A daily summary',
    hint: 'Yesterday’s payments in numbers, in the morning. None after a day on which nothing happened.',
  },
];

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
