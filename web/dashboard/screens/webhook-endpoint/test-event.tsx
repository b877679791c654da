import { useState } from 'preact/hooks';
import type { DeliveryDetail } from '../../../../functions/contract/webhooks/dashboard-deliveries.ts';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { attemptAdvice, attemptResult } from '../../attempt-words.ts';
import { Attempts } from '../../parts/attempts.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Time } from '../../parts/facts.tsx';
import { usePractice } from '../../practice.ts';
import { useProblem } from '../../use-answer.ts';
import { useEvery } from '../../use-every.ts';

/** In milliseconds. The sender stops waiting for an answer well before. */
const longest = 60_000;

interface Sent {
  readonly eventId: string;
  readonly at: number;
  readonly detail?: DeliveryDetail;
}

interface TestEventProps {
  readonly endpoint: EndpointSummary;
  /** Called after the attempt: a success can end an outage. */
  readonly answered: () => Promise<void>;
}

export function TestEvent({ endpoint: { endpointId, status, circuitOpenUntil }, answered }: TestEventProps) {
  const { practiceId } = usePractice();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const [problem, setProblem] = useProblem('testWebhookEndpoint', 'Press “Send test event”.');
  const [late, setLate] = useState(false);
  const waits = sent !== undefined && !isAnswered(sent.detail) && !late && problem === undefined;

  async function send() {
    setBusy(true);
    setSent(undefined);
    setProblem(undefined);
    setLate(false);
    const answer = await call('testWebhookEndpoint', { params: { practiceId, endpointId } });
    setBusy(false);
    if (answer.ok) setSent({ eventId: answer.value.eventId, at: performance.now() });
    else setProblem(answer.problem);
  }

  useEvery(1, waits, async () => {
    if (!sent) return;
    const { eventId, at } = sent;
    const answer = await call('getDelivery', { params: { practiceId, eventId, endpointId } });
    if (answer.ok) {
      setSent((last) => (last?.eventId === eventId ? { eventId, at, detail: answer.value } : last));
      if (isAnswered(answer.value)) await answered();
    }
    // At first, the delivery may not exist yet.
    else if (answer.problem.code !== 'delivery_not_found') setProblem(answer.problem);
    setLate(performance.now() - at > longest);
  });

  return (
    <Panel
      title="Test"
      note="Sends an event of type webhook.test, signed like every other, and shows what the endpoint answers."
      actions={
        <Button busy={busy || waits} disabled={status === 'disabled'} onClick={() => void send()}>
          {waits ? 'Waiting…' : 'Send test event'}
        </Button>
      }
    >
      {status === 'disabled' && <p class="quiet">Enable the endpoint to test it.</p>}
      <div aria-live="polite">
        {waits && (
          <p>
            {circuitOpenUntil !== undefined && Date.parse(circuitOpenUntil) > Date.now() ? (
              <>
                The last requests got no answer, so we pause. The test goes out at{' '}
                <Time at={circuitOpenUntil} as="exact" />.
              </>
            ) : (
              'Waiting for the answer…'
            )}
          </p>
        )}
        {late && sent && (
          <p>
            No answer yet. <a href={`/${practiceId}/deliveries/${sent.eventId}/${endpointId}`}>The delivery</a> will
            show it.
          </p>
        )}
        {sent?.detail && isAnswered(sent.detail) && <Result detail={sent.detail} />}
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </Panel>
  );
}

function isAnswered(detail: DeliveryDetail | undefined): boolean {
  return (detail?.attempts.length ?? 0) > 0;
}

function Result({ detail }: { readonly detail: DeliveryDetail }) {
  const last = detail.attempts.at(-1);
  if (!last) return null;
  return (
    <>
      {detail.delivery.status === 'delivered' ? (
        <Notice kind="good" title={`The endpoint answered ${attemptResult(last)}`}>
          <p>Webhooks arrive.</p>
        </Notice>
      ) : (
        <Notice kind="bad" title={`The test failed: ${attemptResult(last)}`}>
          <p>
            {attemptAdvice(last) ?? 'An endpoint must answer 2xx within 15 seconds.'} Below is what was sent and what
            came back.
          </p>
        </Notice>
      )}
      <Attempts of={detail} />
    </>
  );
}
