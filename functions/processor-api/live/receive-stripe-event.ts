import { receiveStripeEventRoute } from '../../contract/processor-api/receive-stripe-event.ts';
import { queueUrl, stripeSecretId, tableNames } from '../../environment.ts';
import { signedRoute } from '../../http/signed-route.ts';
import { ticketSender } from '../../messages/queues.ts';
import { secretReader } from '../../messages/secrets.ts';
import { signatureChecker } from '../../processors/stripe/event-signature.ts';
import { receiveStripeEvent } from '../../processors/stripe/receive-event.ts';
import { connect } from '../../store/database.ts';

const tools = {
  database: connect(tableNames('processorDebits', 'processorEvents')),
  checkSignature: signatureChecker(secretReader(stripeSecretId())),
  sendSettlements: ticketSender(queueUrl('settlements')),
};

export const handler = signedRoute(receiveStripeEventRoute, ({ body, headers }, now) =>
  receiveStripeEvent(tools, { body, signature: headers['stripe-signature'] ?? '' }, now),
);
