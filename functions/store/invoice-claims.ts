import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { invoiceClaim } from '../domain/invoice-claim.ts';
import type { Session } from '../domain/session.ts';
import type { Database, TransactItem } from './database.ts';

type Claiming = Pick<Session, 'practiceId' | 'invoiceId' | 'sessionId'>;

function claimId({ practiceId, invoiceId }: Claiming): string {
  return `${practiceId}#${invoiceId}`;
}

/** The part of a transaction that takes the invoice for this session, or refuses. */
export function takeClaim(database: Database<'invoiceClaims'>, session: Claiming): TransactItem {
  return {
    Put: {
      TableName: database.tables.invoiceClaims,
      Item: { claimId: claimId(session), sessionId: session.sessionId },
      ConditionExpression: 'attribute_not_exists(claimId) OR sessionId = :sessionId',
      ExpressionAttributeValues: { ':sessionId': session.sessionId },
    },
  };
}

/** The part of a transaction that gives the invoice free again; only for the session that holds it. */
export function releaseClaim(database: Database<'invoiceClaims'>, session: Claiming): TransactItem {
  return {
    Delete: {
      TableName: database.tables.invoiceClaims,
      Key: { claimId: claimId(session) },
      ConditionExpression: 'sessionId = :sessionId',
      ExpressionAttributeValues: { ':sessionId': session.sessionId },
    },
  };
}

/** The id of the session that holds the claim on this session's invoice, read strongly. */
export async function getClaimingSessionId(
  database: Database<'invoiceClaims'>,
  session: Claiming,
): Promise<string | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({
      TableName: database.tables.invoiceClaims,
      Key: { claimId: claimId(session) },
      ConsistentRead: true,
    }),
  );
  return Item && z.parse(invoiceClaim, Item).sessionId;
}
