import { accessRequests, keyRequests, type AccessRequest, type AwsCall } from './access-requests.ts';
import { allowing, isAbout, type Grant, type Policies } from './policies.ts';

export interface Decision {
  readonly call: AwsCall;
  readonly requests: readonly AccessRequest[];
  /** The requests that are not allowed. */
  readonly refused: readonly AccessRequest[];
  /** Why the first refused request is not allowed, in AWS's words. */
  readonly reason: 'explicit deny' | 'no identity-based policy allows it';
  /** The grants that allowed the other requests. */
  readonly used: readonly Grant[];
}

/** Decides as IAM does. Callers other than functions, such as the operator, are refused only what a table refuses to everybody. */
export function decide({ roles, denials, keys }: Policies, call: AwsCall): Decision {
  const role = roles.get(call.caller);
  const refused: AccessRequest[] = [];
  const used = new Set<Grant>();
  let reason: Decision['reason'] = 'no identity-based policy allows it';
  const requests = accessRequests(call).flatMap((request) => {
    const [, table = ''] = /^(arn:aws:dynamodb:.*:table\/[^/]+)/.exec(request.resources[0] ?? '') ?? [];
    const key = keys.get(table);
    return [request, ...(key === undefined ? [] : keyRequests(request, key))];
  });
  for (const request of requests) {
    const context = { ...request.context, 'aws:PrincipalArn': [role?.arn ?? ''] };
    const isDenied = denials.some((denial) => isAbout(denial, { ...request, context }));
    const grants = role && allowing(role, { ...request, context });
    if (isDenied && refused.length === 0) reason = 'explicit deny';
    if (isDenied || grants?.length === 0) refused.push(request);
    else for (const grant of grants ?? []) used.add(grant);
  }
  return { call, requests, refused, reason, used: [...used] };
}
