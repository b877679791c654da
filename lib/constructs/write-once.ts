import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** The table's own ARN would be a circular reference. */
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
 * Nobody may change or delete a row, not even an administrator. IAM cannot check that a put requires a missing row, so only
 * our transaction, which does, may put one, and only from a writer's role, named by its ARN.
 */
export function writeOncePolicy(writers: string[]): PolicyDocument {
  return new PolicyDocument({
    statements: [
      denied(['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete']),
      denied(['PutItem'], {
        // Also true if the key is missing, as in a plain put.
        'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
      }),
      denied(['PutItem'], { ArnNotEquals: { 'aws:PrincipalArn': writers } }),
    ],
  });
}
