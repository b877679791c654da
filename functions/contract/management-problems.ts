import { pick } from '../domain/collections.ts';
import { notReadyForLive, type Problems } from './problems.ts';

/** Kept in a separate file so that the practice API's bundles do not include them. */
export const managementProblems = {
  practice_not_found: { status: 404, title: 'There is no such practice.' },
  platform_not_found: { status: 404, title: 'There is no such platform.' },
  api_key_not_found: { status: 404, title: 'There is no such API key.' },
  webhook_endpoint_not_found: { status: 404, title: 'There is no such webhook endpoint.' },
  delivery_not_found: { status: 404, title: 'There is no such delivery.' },
  test_bank_not_found: { status: 404, title: 'There is no test bank.' },
  user_not_found: { status: 404, title: 'There is no such user.' },
  queue_not_found: { status: 404, title: 'There is no such queue.' },
  practice_in_platform: { status: 409, title: 'The practice belongs to a platform.' },
  practice_in_no_platform: { status: 409, title: 'The practice belongs to no platform.' },
  api_key_ended: { status: 409, title: 'The API key no longer works.' },
  webhook_endpoint_disabled: { status: 409, title: 'The webhook endpoint is disabled.' },
  too_many_webhook_endpoints: { status: 409, title: 'The practice has reached its limit of webhook endpoints.' },
  delivery_in_progress: { status: 409, title: 'The event is being sent.' },
  ...notReadyForLive,
  contact_required: { status: 422, title: 'Patients need a way to reach the practice.' },
  webhook_url_not_allowed: { status: 422, title: 'Webhooks cannot be sent to this URL.' },
  since_in_future: { status: 422, title: 'The date is in the future.' },
  logo_not_accepted: { status: 422, title: 'The logo was not accepted.' },
  processor_unavailable: { status: 503, title: 'The payment processor did not answer.' },
} as const satisfies Problems;

export const endpointNotFound = pick(managementProblems, ['webhook_endpoint_not_found']);
export const endpointDisabled = pick(managementProblems, ['webhook_endpoint_disabled']);
export const urlNotAllowed = pick(managementProblems, ['webhook_url_not_allowed']);
export const tooManyEndpoints = pick(managementProblems, ['too_many_webhook_endpoints']);
