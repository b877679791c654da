import { randomBytes } from 'node:crypto';
import { receiveStripeEventRoute } from '../../contract/payments/stripe.ts';
import { queueUrl, stripeSecretId, tableNames } from '../../environment.ts';
import { signedRoute } from '../../http/route-handler.ts';
import { ticketSender } from '../../messages/queues.ts';
import { secretReader } from '../../messages/secrets.ts';
import { followDepositAccount } from '../../practices/deposit.ts';
import { depositAccountsOfStage } from '../../processors/of-stage.ts';
import { signatureChecker } from '../../processors/stripe/event.ts';
import { receiveStripeEvent } from '../../processors/stripe/receive-event.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames());
const deposits = { database, accounts: depositAccountsOfStage(), randomBytes };
const tools = {
  database,
  followAccount: (account: string, now: number) => followDepositAccount(deposits, account, now),
  checkSignature: signatureChecker(secretReader(stripeSecretId())),
  sendSettlements: ticketSender(queueUrl('settlements')),
};

export const handler = signedRoute(receiveStripeEventRoute, ({ body, headers }, now) =>
  receiveStripeEvent(tools, { body, signature: headers['stripe-signature'] ?? '' }, now),
);
