import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { Tag } from './tag.tsx';

type Health = Pick<EndpointSummary, 'status' | 'disabledReason' | 'failingSince'>;

export function EndpointStatus({ of: { status, disabledReason, failingSince } }: { readonly of: Health }) {
  if (status === 'disabled')
    return disabledReason === undefined ? <Tag tone="quiet">Disabled</Tag> : <Tag tone="bad">Turned off</Tag>;
  return failingSince === undefined ? <Tag tone="good">Enabled</Tag> : <Tag tone="warning">Failing</Tag>;
}
