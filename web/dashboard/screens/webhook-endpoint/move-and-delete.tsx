import { useLocation } from 'preact-iso/router';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { checkUrl } from '../webhooks/new-endpoint.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';

interface MoveEndpointProps {
  readonly endpoint: EndpointSummary;
  readonly close: () => void;
  /** `missedSince` is where a replay of what the old URL missed can start. */
  readonly moved: (missedSince: string | undefined) => Promise<void>;
}

export function MoveEndpoint({ endpoint: { endpointId, url: current }, close, moved }: MoveEndpointProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'move',
    initial: { url: current },
    check: checkUrl,
    send: ({ url }) => call('moveWebhookEndpoint', { params: { practiceId, endpointId }, body: { url: url.trim() } }),
    sent: ({ missedSince, status }) => {
      announce('The endpoint was moved.');
      void moved(status === 'enabled' ? missedSince : undefined);
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

interface DeleteEndpointProps {
  readonly endpoint: EndpointSummary;
  readonly close: () => void;
}

export function DeleteEndpoint({ endpoint: { endpointId, url }, close }: DeleteEndpointProps) {
  const { practiceId } = usePractice();
  const { route } = useLocation();
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      action="Delete endpoint"
      danger
      close={close}
      act={() => call('deleteWebhookEndpoint', { params: { practiceId, endpointId } })}
      done={() => {
        announce('The endpoint was deleted.');
        route(`/${practiceId}/settings/webhooks`, true);
      }}
    >
      <p>
        Nothing more is sent to {url}, including pending retries, and its signing secret is deleted. This cannot be
        undone. To pause it, disable it instead.
      </p>
    </ConfirmDialog>
  );
}
