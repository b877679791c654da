import { useRoute, useLocation } from 'preact-iso/router';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../api.ts';
import { announce } from '../parts/notice.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog, FormDialog, type DialogAbout } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Empty, Screen, Loaded } from '../parts/screen.tsx';
import { allows, isOwnAdmin, usePractice } from '../practice.ts';
import { Filters } from './webhook-endpoint/filters.tsx';
import { Health, type EndpointProps } from './webhook-endpoint/health.tsx';
import { Replay } from './webhook-endpoint/replay.tsx';
import { SigningSecret } from './webhook-endpoint/signing-secret.tsx';
import { TestEvent } from './webhook-endpoint/test-event.tsx';
import { checkUrl, secretUrl } from './webhook-endpoints.tsx';
import { useAnswer } from '../use-answer.ts';
import { useForm } from '../use-form.ts';
import { useQuery } from '../use-query.ts';

export function WebhookEndpoint() {
  const practice = usePractice();
  const { practiceId } = practice;
  const { endpointId = '' } = useRoute().params;
  const answer = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const { setQuery } = useQuery();
  const endpoint = answer.value?.endpoints.find((each) => each.endpointId === endpointId);
  return (
    <Screen
      title="Webhook endpoint"
      back={{ href: `/${practiceId}/settings/webhooks`, label: 'Webhooks' }}
      actions={
        isOwnAdmin(practice) &&
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

function Endpoint({ endpoint, reload }: EndpointProps) {
  const practice = usePractice();
  const { role } = practice;
  const { query, replaceQuery } = useQuery();
  const isAdmin = isOwnAdmin(practice);
  const close = () => replaceQuery({ dialog: undefined, since: undefined });
  const dialog = query.get('dialog');
  const moved = async (missedSince: string | undefined) => {
    replaceQuery({ dialog: missedSince === undefined ? undefined : 'replay', since: missedSince });
    await reload();
  };
  return (
    <>
      <Health endpoint={endpoint} reload={reload} />
      {allows(role, 'admin') && <TestEvent endpoint={endpoint} answered={reload} />}
      <Filters endpoint={endpoint} reload={reload} />
      {isAdmin && <SigningSecret endpoint={endpoint} reload={reload} />}
      {isAdmin && dialog === 'move' && <MoveEndpoint of={endpoint} close={close} done={moved} />}
      {isAdmin && dialog === 'delete' && <DeleteEndpoint of={endpoint} close={close} />}
      {allows(role, 'staff') && dialog === 'replay' && <Replay endpoint={endpoint} close={close} />}
    </>
  );
}

/** `done` gets the time from which a replay of what the old URL missed can start. */
function MoveEndpoint({ of, close, done }: DialogAbout<EndpointSummary, string | undefined>) {
  const { practiceId } = usePractice();
  const { endpointId } = of;
  const form = useForm({
    name: 'move',
    initial: { url: of.url },
    neverKept: secretUrl,
    check: checkUrl,
    send: ({ url }) => call('moveWebhookEndpoint', { params: { practiceId, endpointId }, body: { url: url.trim() } }),
    sent: ({ missedSince, status }) => {
      announce('The endpoint was moved.');
      void done(status === 'enabled' ? missedSince : undefined);
    },
    fieldOfProblem: { webhook_url_not_allowed: 'url' },
  });
  return (
    <FormDialog
      title="Move to another URL"
      lead="All further attempts go there, including retries. The signing secret stays the same, and every admin gets an email."
      form={form}
      action="Move endpoint"
      close={close}
    >
      <TextField field={form.field('url')} label="URL" inputMode="url" spellcheck={false} />
    </FormDialog>
  );
}

function DeleteEndpoint({ of: { endpointId, url }, close }: Omit<DialogAbout<EndpointSummary>, 'done'>) {
  const { practiceId } = usePractice();
  const { route } = useLocation();
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      action="Delete endpoint"
      danger
      close={close}
      route="deleteWebhookEndpoint"
      act={() => call('deleteWebhookEndpoint', { params: { practiceId, endpointId } })}
      said="The endpoint was deleted."
      done={() => route(`/${practiceId}/settings/webhooks`, true)}
    >
      <p>
        Nothing more is sent to {url}, including pending retries, and its signing secret is deleted. This cannot be
        undone. To pause it, disable it instead.
      </p>
    </ConfirmDialog>
  );
}
