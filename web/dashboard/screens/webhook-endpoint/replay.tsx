import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../../functions/contract/dashboard-api/webhook-endpoint.ts';
import { call, type ApiProblem } from '../../api.ts';
import { formatCount } from '../../format.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Time } from '../../parts/time.tsx';
import { usePractice } from '../../practice.ts';
import { useQuery } from '../../use-query.ts';

interface Replayed {
  readonly count: number;
  readonly finished: boolean;
}

/** Events are kept this long. */
const longest = 14 * 86_400_000;

interface ReplayProps {
  readonly endpoint: EndpointSummary;
  readonly close: () => void;
}

/** Sends again what failed or was skipped; the service does it in portions. */
export function Replay({ endpoint: { endpointId, url }, close }: ReplayProps) {
  const { practiceId } = usePractice();
  const { query } = useQuery();
  const [since] = useState(() => query.get('since') ?? new Date(Date.now() - longest).toISOString());
  const [replayed, setReplayed] = useState<Replayed>();
  const [problem, setProblem] = useState<ApiProblem>();

  async function replay() {
    setProblem(undefined);
    let count = replayed?.count ?? 0;
    setReplayed({ count, finished: false });
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
              ? 'There was nothing to replay: nothing failed or was skipped.'
              : `${formatCount(replayed.count, 'delivery', 'deliveries')} will be sent again from now on.`}
          </p>
        ) : (
          <Progress label={`${formatCount(replayed.count, 'delivery', 'deliveries')} so far…`} />
        )}
        <div class="actions">
          <ButtonLink kind="primary" href={`/${practiceId}/deliveries?endpointId=${endpointId}`}>
            Show deliveries
          </ButtonLink>
          <Button onClick={close}>Close</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Replay what this endpoint missed?" close={close}>
      <p>
        Events since <Time at={since} as="time with zone" /> whose delivery to {url} failed or was skipped are sent
        again, with the same IDs. What arrived is not repeated.
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
