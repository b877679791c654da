import { nameOf } from '../../lib/local/permissions/access-requests.ts';
import { readPolicies } from '../../lib/local/permissions/policies.ts';
import { namesIn } from './requests.ts';

/** What Lambda itself needs to log, poll, and set aside failures. It uses the function's role. */
const ofLambda =
  /^(logs:|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) |sqs:(ChangeMessageVisibility|DeleteMessage|GetQueueAttributes|GetQueueUrl|ReceiveMessage) )/;

/** What functions' code may do besides DynamoDB, whose grants are compared with the code, keyed by role. */
export function grantsOf(
  template: unknown,
): { readonly files: readonly string[]; readonly grants: readonly string[] }[] {
  const { fileOf, plain } = namesIn(template);
  const failures = failureQueues(template);
  const ofRole = Map.groupBy(readPolicies(template).roles, ([, { arn }]) => arn);
  return [...ofRole.values()].map((sharing) => ({
    files: sharing.map(([id]) => fileOf.get(id) ?? id),
    grants: (sharing[0]?.[1].grants ?? [])
      .map(({ action, resource }) => nameOf(action, resource))
      .filter((grant) => !failures.has(grant.replace('sqs:SendMessage on ', '')))
      .map(plain)
      .filter((grant) => !ofLambda.test(grant) && !grant.startsWith('dynamodb:')),
  }));
}

/** The queues where Lambda puts failures. No code has their addresses. */
function failureQueues(template: unknown): Set<string> {
  const found = JSON.stringify(template).matchAll(/"OnFailure":\{"Destination":\{"Fn::GetAtt":\["(\w+)"/g);
  return new Set([...found].map(([, id = '']) => id));
}
