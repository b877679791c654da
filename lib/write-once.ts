import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** A table names itself: its ARN would be a circle. */
const thisTable = '*';

function denied(actions: readonly string[], conditions: Record<string, unknown> = {}): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [thisTable],
    conditions,
  });
}

/**
 * Nobody may change or delete a row, an administrator neither. IAM cannot ask a put for its condition that there is no row
 * yet, so only our transaction, which has it, may put one.
 */
export function writeOncePolicy(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      denied(['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete']),
      denied(['PutItem'], {
        // True also where the key is missing, as in a plain put.
        'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
      }),
    ],
  });
}
