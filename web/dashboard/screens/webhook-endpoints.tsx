import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call, type Response } from '../api.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CopyField } from '../parts/copy.tsx';
import { EndpointStatus, Time, ZoneNote } from '../parts/facts.tsx';
import { TextField } from '../parts/field.tsx';
import { FormDialog, type DialogAbout } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { Empty, Screen, Loaded } from '../parts/screen.tsx';
import { Table } from '../parts/table.tsx';
import { isOwnAdmin, ownAdmins, usePractice } from '../practice.ts';
import { FilterFields, checkFilters, chosenTypes, filtersOf } from './webhook-endpoint/filters.tsx';
import { filterWords } from '../session-words.ts';
import { useAnswer } from '../use-answer.ts';
import { useForm } from '../use-form.ts';
import { useQuery } from '../use-query.ts';

type AddedEndpoint = Response<'createWebhookEndpoint'>;

export function WebhookEndpoints() {
  const practice = usePractice();
  const { practiceId } = practice;
  const answer = useAnswer('listWebhookEndpoints', { params: { practiceId } });
  const { query, setQuery, replaceQuery } = useQuery();
  const [added, setAdded] = useState<AddedEndpoint>();
  const isAdmin = isOwnAdmin(practice);
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
      <Loaded of={answer}>{({ endpoints }) => <Endpoints endpoints={endpoints} isAdmin={isAdmin} />}</Loaded>
      {!isAdmin && <p class="quiet">Only {ownAdmins(practice)} add and change endpoints.</p>}
      {isAdmin && query.has('new') && (
        <NewEndpoint
          of={answer.value?.endpoints ?? []}
          close={close}
          done={async (endpoint) => {
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

interface EndpointsProps {
  readonly endpoints: readonly EndpointSummary[];
  readonly isAdmin: boolean;
}

function Endpoints({ endpoints, isAdmin }: EndpointsProps) {
  const { practiceId } = usePractice();
  if (endpoints.length === 0)
    return (
      <Empty title="No endpoint yet">
        <p>{isAdmin ? 'Add the URL where your software receives webhooks.' : 'An admin can add the first one.'}</p>
      </Empty>
    );
  return (
    <section class="panel" aria-label="Endpoints">
      <Table
        caption="Endpoints"
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

function NewEndpoint({ of, close, done }: DialogAbout<readonly EndpointSummary[], AddedEndpoint>) {
  const { practiceId, mode } = usePractice();
  const form = useForm({
    name: 'new-endpoint',
    initial: { url: '', ...filtersOf({}) },
    neverKept: secretUrl,
    check: (values) => ({ ...checkUrl(values), ...checkFilters(values) }),
    send: (values) => {
      const types = chosenTypes(values);
      return call('createWebhookEndpoint', {
        params: { practiceId },
        body: { url: values.url.trim(), ...(types && { eventTypes: types }), retryPolicy: values.retryPolicy },
      });
    },
    sent: (endpoint) => void done(endpoint),
    fieldOfProblem: { webhook_url_not_allowed: 'url' },
  });
  const isTaken = of.some(({ url }) => hrefOf(url) === hrefOf(form.values.url));
  return (
    <FormDialog title="Add a webhook endpoint" form={form} action="Add endpoint" close={close}>
      <TextField
        field={form.field('url')}
        label="URL"
        hint={
          <>
            {mode === 'live'
              ? 'A public https URL.'
              : 'A URL that this service can reach, such as https://example.com/webhooks.'}
            <br />
            <strong role="status">
              {isTaken && 'Another endpoint already has this URL. Events that both want will be sent there twice.'}
            </strong>
          </>
        }
        inputMode="url"
        spellcheck={false}
      />
      <FilterFields form={form} />
    </FormDialog>
  );
}

function hrefOf(text: string): string {
  return URL.canParse(text.trim()) ? new URL(text.trim()).href.replace(/#.*/, '') : text;
}

/** The query of a URL may hold a token. */
export function secretUrl({ url }: { readonly url: string }): readonly 'url'[] {
  return url.includes('?') ? ['url'] : [];
}

export function checkUrl({ url }: { readonly url: string }): { readonly url?: string } {
  return URL.canParse(url.trim()) && /^https?:/i.test(url.trim())
    ? {}
    : { url: 'Enter a whole URL, such as https://example.com/webhooks.' };
}
