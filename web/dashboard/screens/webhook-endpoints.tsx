import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { filterWords } from '../session-words.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CopyField } from '../parts/copy.tsx';
import { EndpointStatus } from '../parts/tag.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Empty, Screen } from '../parts/screen.tsx';
import { Table } from '../parts/table.tsx';
import { Time, ZoneNote } from '../parts/time.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useQuery } from '../use-query.ts';
import { NewEndpoint } from './webhooks/new-endpoint.tsx';

interface AddedEndpoint {
  readonly endpointId: string;
  readonly signingSecret: string;
}

export function WebhookEndpoints() {
  const { practiceId, role } = usePractice();
  const answer = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  const [added, setAdded] = useState<AddedEndpoint>();
  const isAdmin = allows(role, 'admin');
  const close = () => replaceQuery({ new: undefined });

  return (
    <Screen
      title="Webhooks"
      lead="When a payment changes, your software learns of it at once: a signed request is sent to each endpoint."
      actions={
        isAdmin && (
          <Button kind="primary" onClick={() => setQuery({ new: '1' })}>
            Add endpoint
          </Button>
        )
      }
    >
      {added && <Added {...added} />}
      <Loaded of={answer}>{({ endpoints }) => <Endpoints endpoints={endpoints} />}</Loaded>
      {!isAdmin && <p class="quiet">Only admins add and change endpoints.</p>}
      {isAdmin && query.has('new') && (
        <NewEndpoint
          urls={answer.loaded.state === 'ready' ? answer.loaded.value.endpoints.map(({ url }) => url) : []}
          close={close}
          added={async (endpoint) => {
            setAdded(endpoint);
            close();
            await answer.reload();
          }}
        />
      )}
    </Screen>
  );
}

function Added({ endpointId, signingSecret }: AddedEndpoint) {
  const { practiceId } = usePractice();
  return (
    <Notice kind="good" title="The endpoint was added">
      <p>Check each request’s signature with this secret. An admin can reveal it again on the endpoint’s page.</p>
      <CopyField label="Signing secret" text={signingSecret} />
      <ButtonLink href={`/${practiceId}/settings/webhooks/${endpointId}`}>Send a test event</ButtonLink>
    </Notice>
  );
}

function Endpoints({ endpoints }: { readonly endpoints: readonly EndpointSummary[] }) {
  const { practiceId, role } = usePractice();
  if (endpoints.length === 0)
    return (
      <Empty title="No endpoint yet">
        <p>
          {allows(role, 'admin')
            ? 'Add the URL of your software that is to receive webhooks.'
            : 'An admin can add the first one.'}
        </p>
      </Empty>
    );
  return (
    <section class="panel" aria-label="Endpoints">
      <Table
        caption="Endpoints"
        captionHidden
        note={<ZoneNote />}
        rows={endpoints}
        keyOf={({ endpointId }) => endpointId}
        columns={[
          {
            label: 'URL',
            cell: ({ endpointId, url }) => <a href={`/${practiceId}/settings/webhooks/${endpointId}`}>{url}</a>,
          },
          { label: 'Status', cell: (endpoint) => <EndpointStatus of={endpoint} /> },
          { label: 'Events', cell: filterWords },
          { label: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}
