import type { Part, Plant, WriteItem } from './database.ts';

/** Bugs that a commit could bring, as changes to what the product sends or reads. */
export const plants: Readonly<Record<string, Plant>> = {
  'the claim is not checked': {
    request: inTransaction((item) => {
      if (isOf(item.Put, 'InvoiceClaims')) item.Put = withoutCondition(item.Put);
    }),
  },
  'the event is written before the commit': {
    request(operation, body) {
      const { TransactItems = [] } = body;
      const event = TransactItems.find(({ Put }) => isOf(Put, 'Events'));
      if (operation !== 'TransactWriteItems' || !event?.Put) return undefined;
      return [event.Put, { ...body, TransactItems: TransactItems.filter((item) => item !== event) }];
    },
  },
  // With either condition alone, the other one still refuses a transition from what was read too early.
  'the sequence is not compared and an event may be replaced': {
    request: inTransaction((item) => {
      if (isOf(item.Update, 'Sessions')) edit(item.Update, 'ConditionExpression', / AND \(#sequence = :\w+\)/, '');
      if (isOf(item.Put, 'Events')) item.Put = withoutCondition(item.Put);
    }),
  },
  'the tombstone is ignored': {
    request(operation, body) {
      if (isOf(body, 'SandboxDebits') && operation === 'PutItem' && body.Item?.['debit'])
        return [withoutCondition(body)];
      if (isOf(body, 'ProcessorDebits') && operation === 'UpdateItem')
        edit(body, 'ConditionExpression', / AND \(attribute_not_exists\(#voidedAt\)\)/, '');
      return undefined;
    },
  },
  'the claim is not released on a failure': {
    request(operation, body) {
      if (operation !== 'TransactWriteItems' || !JSON.stringify(body).includes('failedAt')) return undefined;
      const { TransactItems = [] } = body;
      return [{ ...body, TransactItems: TransactItems.filter(({ Delete }) => !isOf(Delete, 'InvoiceClaims')) }];
    },
  },
  'the due time of a debit is dropped': {
    request: inTransaction(({ Update }) => {
      if (isOf(Update, 'Sessions')) edit(Update, 'UpdateExpression', /, #dueShard = :\w+, #dueAt = :\w+/, '');
    }),
  },
  'the idempotency key is not in the transaction': {
    request(operation, body) {
      const { TransactItems = [] } = body;
      const key = TransactItems.find(({ Put }) => isOf(Put, 'IdempotencyKeys'));
      if (operation !== 'TransactWriteItems' || !key?.Put) return undefined;
      return [withoutCondition(key.Put), { ...body, TransactItems: TransactItems.filter((item) => item !== key) }];
    },
  },
  'a booking is read wrongly': {
    request(operation, body) {
      if (operation !== 'PutItem' || !isOf(body, 'Bookings')) return undefined;
      return [{ ...body, Item: { ...body.Item, amountCents: { N: '1' } } }];
    },
  },
  'a refund is counted twice': {
    // The ledger does not recognize the ID of a refund that it has.
    answer(operation, body, answer, task) {
      const { Item: debit } = answer;
      const isRead = operation === 'GetItem' && isOf(body, 'SandboxDebits') && ['refund', 'debits'].includes(task);
      if (!isRead || debit?.['refunds']?.L === undefined) return answer;
      const refunds = debit['refunds'].L.map(({ M }) => ({
        M: { ...M, refundId: { S: `${M?.['refundId']?.S} again` } },
      }));
      return { Item: { ...debit, refunds: { L: refunds } } };
    },
  },
};

function inTransaction(change: (item: WriteItem) => void): NonNullable<Plant['request']> {
  return (_, { TransactItems }) => {
    TransactItems?.forEach(change);
    return undefined;
  };
}

function isOf(part: Part | undefined, table: string): part is Part {
  return String(part?.TableName).startsWith(`Data${table}`);
}

function withoutCondition({ ConditionExpression: _, ...part }: Part): Part {
  return withoutUnused({ ...part });
}

function edit(part: Part, expression: 'ConditionExpression' | 'UpdateExpression', pattern: RegExp, by: string): void {
  part[expression] = String(part[expression] ?? '').replace(pattern, by);
  if (part[expression] === '') delete part[expression];
  withoutUnused(part);
}

/** DynamoDB refuses names and values that no expression uses. */
function withoutUnused(part: Part): Part {
  const used = JSON.stringify([part.ConditionExpression, part.UpdateExpression]);
  for (const kind of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
    const kept = Object.entries(part[kind] ?? {}).filter(([name]) => new RegExp(`${name}\\b`).test(used));
    if (kept.length > 0) Object.assign(part, { [kind]: Object.fromEntries(kept) });
    else delete part[kind];
  }
  return part;
}
