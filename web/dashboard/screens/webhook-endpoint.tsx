import { useRoute } from 'preact-iso/router';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Empty, Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { DeleteEndpoint, MoveEndpoint } from './webhook-endpoint/move-and-delete.tsx';
import { Filters } from './webhook-endpoint/filters.tsx';
import { Health } from './webhook-endpoint/health.tsx';
import { Replay } from './webhook-endpoint/replay.tsx';
import { SigningSecret } from './webhook-endpoint/signing-secret.tsx';
import { TestEvent } from './webhook-endpoint/test-event.tsx';

export function WebhookEndpoint() {
  const { practiceId, role } = usePractice();
  const { endpointId = '' } = useRoute().params;
  const answer = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const { setQuery } = useQuery();
  const { loaded } = answer;
  const endpoint =
    loaded.state === 'ready' ? loaded.value.endpoints.find((each) => each.endpointId === endpointId) : undefined;
  return (
    <Screen
      title="Webhook endpoint"
      back={{ href: `/${practiceId}/settings/webhooks`, label: 'Webhooks' }}
      actions={
        allows(role, 'admin') &&
        endpoint && (
          <>
            <Button onClick={() => setQuery({ dialog: 'move' })}>Move</Button>
            <Button onClick={() => setQuery({ dialog: 'delete' })}>Delete</Button>
          </>
        )
      }
    >
      <Loaded of={answer}>
        {() => (endpoint ? <Endpoint key={endpointId} endpoint={endpoint} reload={answer.reload} /> : <NoEndpoint />)}
      </Loaded>
    </Screen>
  );
}

function NoEndpoint() {
  const { practiceId } = usePractice();
  return (
    <Empty title="This endpoint is gone">
      <p>
        It was deleted. <a href={`/${practiceId}/settings/webhooks`}>Show all endpoints</a>
      </p>
    </Empty>
  );
}

interface EndpointProps {
  readonly endpoint: EndpointSummary;
  readonly reload: () => Promise<void>;
}

function Endpoint({ endpoint, reload }: EndpointProps) {
  const { role } = usePractice();
  const { query, replaceQuery } = useQuery();
  const isAdmin = allows(role, 'admin');
  const close = () => replaceQuery({ dialog: undefined, since: undefined });
  const dialog = query.get('dialog');
  const moved = async (missedSince: string | undefined) => {
    replaceQuery({ dialog: missedSince === undefined ? undefined : 'replay', since: missedSince });
    await reload();
  };
  return (
    <>
      <Health endpoint={endpoint} reload={reload} />
      {isAdmin && <TestEvent endpoint={endpoint} answered={reload} />}
      <Filters endpoint={endpoint} reload={reload} />
      {isAdmin && <SigningSecret endpoint={endpoint} reload={reload} />}
      {isAdmin && dialog === 'move' && <MoveEndpoint endpoint={endpoint} close={close} moved={moved} />}
      {isAdmin && dialog === 'delete' && <DeleteEndpoint endpoint={endpoint} close={close} />}
      {allows(role, 'staff') && dialog === 'replay' && <Replay endpoint={endpoint} close={close} />}
    </>
  );
}
