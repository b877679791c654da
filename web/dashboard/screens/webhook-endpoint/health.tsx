import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call, type Response } from '../../api.ts';
import { attemptAdvice, attemptResult } from '../../attempt-words.ts';
import { formatCount } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { EndpointStatus, Facts, Time, ZoneNote } from '../../parts/facts.tsx';
import { Notice, ProblemNotice, announce } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { allows, isOwnAdmin, usePractice } from '../../practice.ts';
import { useQuery } from '../../use-query.ts';
import { useAction } from '../../use-answer.ts';

export interface EndpointProps {
  readonly endpoint: EndpointSummary;
  readonly reload: () => Promise<void>;
}

/** Whether webhooks arrive, and the button that turns the endpoint on or off. */
export function Health({ endpoint, reload }: EndpointProps) {
  const practice = usePractice();
  const { practiceId, role } = practice;
  const { setQuery } = useQuery();
  const { endpointId, url, status, failingSince, failedAttempts, lastFailure, circuitOpenUntil, createdAt } = endpoint;
  return (
    <Panel
      title={url}
      note={<ZoneNote />}
      actions={
        <>
          {allows(role, 'staff') && status === 'enabled' && (
            <Button onClick={() => setQuery({ dialog: 'replay', since: endpoint.missedSince })}>Replay</Button>
          )}
          {isOwnAdmin(practice) &&
            (status === 'disabled' ? (
              <Enable endpoint={endpoint} reload={reload} />
            ) : (
              <Disable endpoint={endpoint} reload={reload} />
            ))}
        </>
      }
    >
      <WhyItFails endpoint={endpoint} />
      <Facts
        facts={[
          ['Status', <EndpointStatus of={endpoint} />],
          ['Failing since', failingSince && <Time at={failingSince} />],
          [
            'Failed attempts',
            failingSince && failedAttempts !== undefined ? formatCount(failedAttempts, 'attempt') : undefined,
          ],
          ['Last failure', lastFailure && attemptResult(lastFailure)],
          ['Advice', lastFailure && attemptAdvice(lastFailure)],
          ['Next try', status === 'enabled' && circuitOpenUntil && <Time at={circuitOpenUntil} as="exact" />],
          ['Disabled', endpoint.disabledAt && <Time at={endpoint.disabledAt} />],
          ['Events missed since', endpoint.missedSince && <Time at={endpoint.missedSince} />],
          ['Added', <Time at={createdAt} />],
          ['ID', <code>{endpointId}</code>],
        ]}
      />
      <p>
        <a href={`/${practiceId}/deliveries?endpointId=${endpointId}`}>Deliveries to this endpoint</a>
      </p>
    </Panel>
  );
}

function WhyItFails({ endpoint: { status, disabledReason, failingSince } }: { readonly endpoint: EndpointSummary }) {
  if (disabledReason === 'gone')
    return (
      <Notice kind="bad" title="This endpoint was turned off: it answered 410 Gone">
        <p>That means it wants no more webhooks. If this was a mistake, enable it and replay what it missed.</p>
      </Notice>
    );
  if (disabledReason === 'failing')
    return (
      <Notice kind="bad" title="This endpoint was turned off: it failed for days">
        <p>Fix the cause, enable it, and replay what it missed. A replay goes back at most 14 days.</p>
      </Notice>
    );
  if (status === 'enabled' && failingSince !== undefined)
    return (
      <Notice kind="warning" title="This endpoint is failing">
        <p>
          Deliveries that are retried go out automatically for 3 days. Those that failed stay failed until you replay
          them. An endpoint that keeps failing is turned off.
        </p>
      </Notice>
    );
  return null;
}

const route = 'setWebhookEndpointStatus';

function Enable({ endpoint: { endpointId }, reload }: EndpointProps) {
  const { practiceId } = usePractice();
  const { setQuery } = useQuery();
  const { busy, problem, run } = useAction(route, 'Enable');
  const enable = () => call(route, { params: { practiceId, endpointId }, body: { status: 'enabled' } });

  /** Only this response says when the endpoint began to miss webhooks. */
  async function enabled({ missedSince }: Response<'setWebhookEndpointStatus'>) {
    announce('The endpoint is enabled.');
    await reload();
    if (missedSince !== undefined) setQuery({ dialog: 'replay', since: missedSince });
  }

  return (
    <>
      <Button kind="primary" busy={busy} onClick={() => void run(enable, enabled)}>
        Enable
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

function Disable({ endpoint: { endpointId, url }, reload }: EndpointProps) {
  const { practiceId } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  return (
    <>
      <Button onClick={() => setQuery({ dialog: 'disable' })}>Disable</Button>
      {query.get('dialog') === 'disable' && (
        <ConfirmDialog
          title="Disable this endpoint?"
          action="Disable endpoint"
          danger
          close={() => replaceQuery({ dialog: undefined })}
          route={route}
          act={() => call(route, { params: { practiceId, endpointId }, body: { status: 'disabled' } })}
          said="The endpoint is disabled."
          done={reload}
        >
          <p>Nothing is sent to {url} until it is enabled again. What it misses can be replayed for 14 days.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
