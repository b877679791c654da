import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { formatCount, formatTime } from '../../format.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Progress } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';
import { useProblem } from '../../use-answer.ts';
import { useQuery } from '../../use-query.ts';

interface Replayed {
  readonly count: number;
  readonly finished: boolean;
}

const hour = 3_600_000;
/** A replay goes back at most 14 days. */
const periods = [
  { value: String(hour), label: 'From the last hour' },
  { value: String(24 * hour), label: 'From the last 24 hours' },
  { value: String(3 * 24 * hour), label: 'From the last 3 days' },
  { value: String(14 * 24 * hour), label: 'From the last 14 days' },
];
const missed = 'missed';

interface ReplayProps {
  readonly endpoint: EndpointSummary;
  readonly close: () => void;
}

export function Replay({ endpoint: { endpointId, url }, close }: ReplayProps) {
  const { practiceId, timeZone } = usePractice();
  const { query } = useQuery();
  const missedSince = query.get('since');
  const [period, setPeriod] = useState(missedSince === null ? String(24 * hour) : missed);
  const [replayed, setReplayed] = useState<Replayed>();
  const [problem, setProblem] = useProblem('replayWebhookEndpoint', 'Press “Replay”.');

  async function replay() {
    setProblem(undefined);
    let count = 0;
    setReplayed({ count, finished: false });
    const since = period === missed && missedSince ? missedSince : new Date(Date.now() - Number(period)).toISOString();
    for (;;) {
      const answer = await call('replayWebhookEndpoint', { params: { practiceId, endpointId }, body: { since } });
      if (!answer.ok) {
        setReplayed(undefined);
        return setProblem(answer.problem);
      }
      count += answer.value.replayed;
      const finished = !answer.value.more;
      setReplayed({ count, finished });
      if (finished) return;
    }
  }

  if (replayed)
    return (
      <Dialog title="Replay" close={close}>
        {replayed.finished ? (
          <p role="status">
            {replayed.count === 0
              ? 'There was nothing to replay. Pending deliveries are retried automatically; to send one now, open it and resend it.'
              : `${formatCount(replayed.count, 'delivery', 'deliveries')} will be sent again from now on.`}
          </p>
        ) : (
          <Progress label={`${formatCount(replayed.count, 'delivery', 'deliveries')} so far…`} />
        )}
        <div class="actions">
          <ButtonLink kind="primary" href={`/${practiceId}/deliveries?endpointId=${endpointId}`} onClick={close}>
            Show deliveries
          </ButtonLink>
          <Button onClick={close}>Close</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Replay what this endpoint missed?" close={close}>
      <SelectField
        field={{ id: 'replay-since', value: period, set: setPeriod }}
        label="Events"
        options={[
          ...(missedSince === null
            ? []
            : [
                {
                  value: missed,
                  label: `Since ${formatTime(missedSince, timeZone, { zone: true })}, when it began to miss some`,
                },
              ]),
          ...periods,
        ]}
      />
      <p>
        Those whose delivery to {url} failed or was skipped are sent again from now on, with the same IDs. What arrived
        is not repeated.
      </p>
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <Button kind="primary" onClick={() => void replay()}>
          Replay
        </Button>
        <Button onClick={close}>Not now</Button>
      </div>
    </Dialog>
  );
}
