import { call } from '../../api.ts';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { FilterFields, checkFilters, chosenTypes, newFilters, retryPolicyOf } from './endpoint-filters.tsx';

interface NewEndpointProps {
  /** The URLs of the practice's endpoints. */
  readonly urls: readonly string[];
  readonly close: () => void;
  readonly added: (endpoint: { readonly endpointId: string; readonly signingSecret: string }) => Promise<void>;
}

export function NewEndpoint({ urls, close, added }: NewEndpointProps) {
  const { practiceId, mode } = usePractice();
  const form = useForm({
    name: 'new-endpoint',
    initial: { url: '', ...newFilters },
    check: (values) => ({ ...checkUrl(values), ...checkFilters(values) }),
    send: (values) => {
      const types = chosenTypes(values);
      return call('createWebhookEndpoint', {
        params: { practiceId },
        body: { url: values.url.trim(), ...(types && { eventTypes: types }), retryPolicy: retryPolicyOf(values) },
      });
    },
    sent: (endpoint) => void added(endpoint),
    fieldOfProblem: { webhook_url_not_allowed: 'url' },
  });
  const isTaken = urls.some((url) => hrefOf(url) === hrefOf(form.values.url));
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
      <FilterFields
        which={form.field('which')}
        eventTypes={form.field('eventTypes')}
        retryPolicy={form.field('retryPolicy')}
      />
    </FormDialog>
  );
}

function hrefOf(text: string): string {
  return URL.canParse(text.trim()) ? new URL(text.trim()).href.replace(/#.*/, '') : text;
}

export function checkUrl({ url }: { readonly url: string }): { readonly url?: string } {
  return URL.canParse(url.trim()) && /^https?:/i.test(url.trim())
    ? {}
    : { url: 'Enter a whole URL, such as https://example.com/webhooks.' };
}
