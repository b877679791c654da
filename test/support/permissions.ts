import { nameOf, requestName, type AwsCall } from '../../lib/local/permissions/access-requests.ts';
import type { Disturbance, GateOptions } from '../../lib/local/permissions/gate.ts';
import { readPolicies } from '../../lib/local/permissions/policies.ts';
import { namesIn, recordDecisions } from '../permissions/requests.ts';

const failures = {
  throttled: { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message: 'too fast' },
  cancelled: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'cancelled',
    CancellationReasons: [{ Code: 'ThrottlingError' }],
  },
};

/** What happens to a call to DynamoDB. */
export type Disturb = (call: AwsCall) => keyof typeof failures | Exclude<Disturbance, object> | undefined;

/** Enforces the permissions of a stack's functions, and records how they are used. */
export function observedPermissions(template: unknown, disturb: Disturb) {
  const record = recordDecisions(template);
  const { fileOf } = namesIn(template);
  const refused = new Set<string>();
  const permissions: GateOptions = {
    onDecision(decision) {
      record(decision);
      const { caller } = decision.call;
      if (fileOf.has(caller)) for (const each of decision.refused) refused.add(`${caller} ${requestName(each)}`);
    },
    disturb(call) {
      const disturbance = call.service === 'dynamodb' ? disturb(call) : undefined;
      if (disturbance === 'throttled' || disturbance === 'cancelled') return { failure: failures[disturbance] };
      return disturbance;
    },
  };
  return {
    permissions,
    /** Throws if any request of a function was refused. */
    check() {
      if (refused.size > 0) throw new Error(`no role allows: ${[...refused].join(', ')}`);
    },
  };
}

/** For example, `dynamodb:Query on Sessions/index/byInvoice`, keyed by function. */
export function allowedActions(template: unknown): Map<string, Set<string>> {
  const { roles } = readPolicies(template);
  return new Map(
    [...roles].map(([id, { grants }]) => [id, new Set(grants.map(({ action, resource }) => nameOf(action, resource)))]),
  );
}
