import { useLocation } from 'preact-iso/router';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { usePractice } from '../../practice.ts';

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
