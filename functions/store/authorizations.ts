import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { locales } from '../domain/locale.ts';
import { isoTime } from '../domain/time.ts';
import type { Database, TransactItem } from './database.ts';
import { bankAccount } from '../domain/debit.ts';

/** Proof that the patient authorized the debit. Written once; no role may change or delete it; kept seven years or longer. */
const evidence = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  authorizationId: z.string(),
  text: z.string(),
  templateVersion: z.string(),
  locale: z.enum(locales),
  amountCents: z.int(),
  invoiceId: z.string(),
  bankAccount,
  /** The patient's name as it was shown, and the processor's own name for the account, as last digits are shared; not in rows of earlier releases. */
  patient: z.optional(z.object({ firstName: z.string(), lastName: z.string() })),
  processorAccount: z.optional(z.string()),
  /** Where the request came from: the address that reached us, and the viewer's as CloudFront reported it (forgeable by a direct caller). */
  sourceAddress: z.string(),
  viewerAddress: z.optional(z.string()),
  userAgent: z.string(),
  authorizedAt: isoTime,
});
export type Evidence = z.infer<typeof evidence>;
export type NewEvidence = Evidence & Required<Pick<Evidence, 'patient' | 'processorAccount'>>;

/** The part of a transaction that writes the evidence, which must not exist yet. */
export function putEvidence(database: Database<'authorizations'>, row: NewEvidence): TransactItem {
  return {
    Put: {
      TableName: database.tables.authorizations,
      Item: row,
      ConditionExpression: 'attribute_not_exists(sessionId)',
    },
  };
}

export async function getEvidence(
  database: Database<'authorizations'>,
  sessionId: string,
): Promise<Evidence | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.authorizations, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item && z.parse(evidence, Item);
}
