import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { checkUrl } from '../webhooks/new-endpoint.tsx';

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
