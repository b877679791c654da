import type { Body, Plant } from './database.ts';

/** Bugs, each as a commit could bring it, as changes of what the product sends or reads. */
export const plants: Readonly<Record<string, Plant>> = {
  'the claim is not checked': {
    request: inTransaction((item) => {
      if (isOf(item['Put'], 'InvoiceClaims')) item['Put'] = withoutCondition(item['Put']);
    }),
  },
  'the event is written before the commit': {
    request(operation, body) {
      const event = (body['TransactItems'] ?? []).find(({ Put }: Body) => isOf(Put, 'Events'));
      if (operation !== 'TransactWriteItems' || !event) return undefined;
      return [event['Put'], { ...body, TransactItems: body['TransactItems'].filter((item: Body) => item !== event) }];
    },
  },
  // With either condition alone, the other one still refuses a transition from what was read too early.
  'the sequence is not compared and an event may be replaced': {
    request: inTransaction((item) => {
      if (isOf(item['Update'], 'Sessions'))
        edit(item['Update'], 'ConditionExpression', / AND \(#sequence = :\w+\)/, '');
      if (isOf(item['Put'], 'Events')) item['Put'] = withoutCondition(item['Put']);
    }),
  },
  'the tombstone is ignored': {
    request(operation, body) {
      if (isOf(body, 'SandboxDebits') && operation === 'PutItem' && body['Item']['debit'])
        return [withoutCondition(body)];
      if (isOf(body, 'ProcessorDebits') && operation === 'UpdateItem')
        edit(body, 'ConditionExpression', / AND \(attribute_not_exists\(#voidedAt\)\)/, '');
      return undefined;
    },
  },
  'the claim is not released on a failure': {
    request(operation, body) {
      if (operation !== 'TransactWriteItems' || !JSON.stringify(body).includes('failedAt')) return undefined;
      return [
        { ...body, TransactItems: body['TransactItems'].filter(({ Delete }: Body) => !isOf(Delete, 'InvoiceClaims')) },
      ];
    },
  },
  'the due time of a debit is dropped': {
    request: inTransaction(({ Update }) => {
      if (isOf(Update, 'Sessions')) edit(Update, 'UpdateExpression', /, #dueShard = :\w+, #dueAt = :\w+/, '');
    }),
  },
  'the idempotency key is not in the transaction': {
    request(operation, body) {
      const key = (body['TransactItems'] ?? []).find(({ Put }: Body) => isOf(Put, 'IdempotencyKeys'));
      if (operation !== 'TransactWriteItems' || !key) return undefined;
      return [
        withoutCondition(key['Put']),
        { ...body, TransactItems: body['TransactItems'].filter((item: Body) => item !== key) },
      ];
    },
  },
  'a refund is counted twice': {
    // The ledger does not recognize the ID of a refund that it has.
    answer(operation, body, answer, task) {
      const refunds = answer['Item']?.['refunds']?.L;
      if (operation === 'GetItem' && isOf(body, 'SandboxDebits') && ['refund', 'debits'].includes(task))
        for (const { M } of refunds ?? []) M.refundId.S += ' again';
      return answer;
    },
  },
};

function inTransaction(change: (item: Body) => void): NonNullable<Plant['request']> {
  return (operation, body) => {
    if (operation === 'TransactWriteItems') body['TransactItems'].forEach(change);
    return undefined;
  };
}

function isOf(part: Body | undefined, table: string): part is Body {
  return String(part?.['TableName']).startsWith(`Data${table}`);
}

function withoutCondition({ ConditionExpression: _, ...body }: Body): Body {
  return withoutUnused({ ...body });
}

function edit(body: Body, expression: string, pattern: RegExp, by: string): void {
  body[expression] = String(body[expression] ?? '').replace(pattern, by);
  if (body[expression] === '') delete body[expression];
  withoutUnused(body);
}

/** DynamoDB refuses names and values that no expression uses. */
function withoutUnused(body: Body): Body {
  const used = JSON.stringify([body['ConditionExpression'], body['UpdateExpression']]);
  for (const kind of ['ExpressionAttributeNames', 'ExpressionAttributeValues']) {
    const kept = Object.entries(body[kind] ?? {}).filter(([name]) => new RegExp(`${name}\\b`).test(used));
    if (kept.length > 0) body[kind] = Object.fromEntries(kept);
    else delete body[kind];
  }
  return body;
}
