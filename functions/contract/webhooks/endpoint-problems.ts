import { managementProblems } from '../management-problems.ts';
import type { Problems } from '../problems.ts';

export const endpointNotFound = {
  webhook_endpoint_not_found: managementProblems.webhook_endpoint_not_found,
} as const satisfies Problems;

export const endpointDisabled = {
  webhook_endpoint_disabled: managementProblems.webhook_endpoint_disabled,
} as const satisfies Problems;

export const urlNotAllowed = {
  webhook_url_not_allowed: managementProblems.webhook_url_not_allowed,
} as const satisfies Problems;

export const tooManyEndpoints = {
  too_many_webhook_endpoints: managementProblems.too_many_webhook_endpoints,
} as const satisfies Problems;
