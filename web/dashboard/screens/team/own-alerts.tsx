import { useState } from 'preact/hooks';
import { call, type ApiProblem } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { CheckboxField } from '../../parts/choices.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';
import { useAnswer } from '../../use-answer.ts';

/** Saves as soon as the user switches it. */
export function OwnAlerts() {
  const { practiceId } = usePractice();
  const me = useAnswer('getMe', { params: {} });
  const [chosen, setChosen] = useState<boolean>();
  const [problem, setProblem] = useState<ApiProblem>();
  async function save(wantsAlerts: boolean) {
    setChosen(wantsAlerts);
    const answer = await call('changeAlerts', { params: { practiceId }, body: { wantsAlerts } });
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) announce(wantsAlerts ? 'You will get alerts.' : 'You will get no alerts.');
    else setChosen(!wantsAlerts);
  }
  return (
    <Panel title="Your alerts">
      <Loaded of={me}>
        {({ practices }) => (
          <CheckboxField
            field={{
              id: 'wants-alerts',
              value: chosen ?? practices.find((each) => each.practiceId === practiceId)?.wantsAlerts ?? false,
              set: (wanted) => void save(wanted),
              error: undefined,
            }}
            label="Email me when something needs attention"
            hint="A returned payment, or a webhook endpoint that fails or was turned off. Admins also get an email about each sensitive change, whatever they choose here."
          />
        )}
      </Loaded>
      {problem && <ProblemNotice problem={problem} />}
    </Panel>
  );
}
