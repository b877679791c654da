import { maximumMetadataKeys } from '../../functions/contract/sessions/create-session.ts';
import { leastCents } from '../../functions/domain/payments/debit.ts';

const retried =
  'Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response but a 2xx and 410.';

/** Keyed by field name, or by `<parent>.<field>` if a name has several meanings. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  sessionId: 'Identifies the session: `ses_` and 26 characters.',
  invoiceId: 'Your identifier for the invoice, returned in the status and in webhooks.',
  amountCents: 'The amount in US cents.',
  'CreateSessionRequest.amountCents': `The amount in US cents. Production refuses less than ${leastCents.live}: the processor debits no less.`,
  patient: 'Who is asked to pay. Do not send any other patient data.',
  firstName: 'The first name, or `-` for a person who has only a last name.',
  lastName:
    'The last name, or `-` for a person with one name. The page shows only its initial until a bank is connected.',
  metadata: 'Your own keys and values, returned in the status and in webhooks.',
  'CreateSessionRequest.metadata': `At most ${maximumMetadataKeys} keys and values of your own, which the patient never sees. Keys that name health or account data, and keys or values that look like it, are rejected as \`sensitive_data\`.`,
  locale: 'The language in which the link opens the page. Without it, the browser decides; the patient can switch.',
  returnUrl:
    'The last view of the page links here. Nothing is added to it, nobody is redirected, and it says nothing about the outcome.',
  blockedBy:
    'Why the session cannot be paid although it is `pending`: another session of its invoice was paid or is being paid, or the bank sign-ins of its link are used up.',
  'CreatedSession.blockedBy':
    'Why nobody can pay with this link now: another session of its invoice was paid or is being paid.',
  hostedUrl: 'The link to send to the patient. Whoever has it can see what is owed and pay it: treat it as a secret.',
  status: 'The state of the session. `succeeded`, `failed` and `cancelled` are final.',
  'CreatedSession.status': 'Always `pending`. A replay returns the original response.',
  createdAt: 'When the session was created.',
  expiresAt:
    'When the session expires, or would have, if it is still pending. It moves when the patient starts, and when they ask for more time.',
  openedAt: 'When the patient started on the page. Absent again after staff made a new link.',
  processingAt: 'When the patient authorized the debit.',
  settledAt: 'When the funds were confirmed.',
  failedAt: 'When the payment failed.',
  failure: 'Why the payment failed.',
  'failure.code': 'The reason, machine-readable.',
  'failure.message': 'The reason, human-readable.',
  achReturnCode: "The ACH network's return code, such as `R01`, if there is one.",
  cancelledAt: 'When the session was cancelled. For an expired session, this equals `expiresAt`.',
  cancellation: 'Why the session was cancelled.',
  reason: 'Whether the practice requested it or the session expired.',
  return: 'Present if the bank returned a settled debit. The status stays `succeeded`.',
  refund: 'Present if money was given back at the processor. The status stays `succeeded`, and there is no webhook.',
  'refund.amountCents': 'All that was given back so far, in US cents.',
  refundedAt: 'When we last learned of a refund.',
  scrubbedAt:
    "When the patient's name, the bank account, `metadata` and `returnUrl` were removed: by your request, or because the session ended long ago. From then on, `metadata` is empty.",
  evidenceKeptUntil: 'Until then the proof of authorization is kept, with the name and the bank account.',
  'return.code': 'The reason, machine-readable.',
  returnedAt: 'When the bank returned the debit.',
  'SessionList.data': 'One page of sessions, newest first.',
  'EventList.data': 'One page of events, newest first.',
  eventId: "Identifies the event: the webhook's `id`.",
  'Event.sessionId': 'The session that the event is about. A test is about none.',
  'Event.createdAt': "When it happened: the webhook's `created_at`.",
  body: "The webhook's body, byte for byte as it is signed and sent: JSON in a string. Its `id` is the `eventId`. Once the patient is erased, its `metadata` is empty.",
  as: "A test user, or `expire`, which sets the session's `expiresAt` to now.",
  nextCursor: 'The `cursor` for the next page; `null` on the last page.',
  endpointId: 'Identifies the webhook endpoint: `whe_` and 20 characters.',
  url: 'Where webhooks are sent: a public host, `https://`, port 443.',
  'WebhookEndpoint.url': 'Where webhooks are sent.',
  'CreatedWebhookEndpoint.url': 'Where webhooks are sent.',
  eventTypes: 'The types of events to send. Absent: all but `session.payment.link_requested`, which must be named.',
  'ChangeWebhookEndpointRequest.eventTypes':
    'The types of events to send; `null` for all but `session.payment.link_requested`.',
  retryPolicy: retried,
  'CreateWebhookEndpointRequest.retryPolicy': `${retried} Absent: \`standard\`.`,
  'WebhookEndpoint.status': 'Whether webhooks are sent to it.',
  'CreatedWebhookEndpoint.status': 'Whether webhooks are sent to it.',
  'ChangeWebhookEndpointRequest.status': 'Whether webhooks are sent to it.',
  'DeletedWebhookEndpoint.status': 'Always `deleted`.',
  'WebhookEndpoint.createdAt': 'When the endpoint was created.',
  'CreatedWebhookEndpoint.createdAt': 'When the endpoint was created.',
  disabledReason:
    'Why the service disabled it: it answered 410 (`gone`), or every attempt of 5 days failed (`failing`). Absent if a person or a key did.',
  disabledAt: 'When it was disabled.',
  failingSince: 'When attempts began to fail. Absent after a success.',
  lastFailure: 'How the last failed attempt ended. Absent after a success.',
  'lastFailure.statusCode': 'The status that the endpoint answered. Absent if it did not answer.',
  'lastFailure.error':
    'Why there was no answer, or none that we could read whole, such as `certificate_expired`. The docs list all; new ones can be added.',
  'lastFailure.redirectsTo': 'Where a redirect leads. We do not follow it: change the URL.',
  previousSecretExpiresAt: 'When the secret before the last rotation stops signing.',
  signingSecret: 'Verifies webhooks. Store it now: no other call returns it.',
  keepOldHours: 'For how long the old secret signs too. With 0, it stops at once.',
  'WebhookEndpointList.data': 'Every endpoint.',
  id: 'Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate.',
  type: 'What happened.',
  created_at:
    'When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events.',
  api_version: 'The version of this body. Fields can be added within a version.',
  livemode: 'Whether real money moves; `false` in the sandbox.',
  practiceId: 'The practice whose event it is, so that one receiver can serve several practices.',
  'SessionWebhook.data': "The session after the change. It never contains the patient's name.",
  'TestWebhook.data': 'Empty: a test is not about a session.',
  previousStatus: 'The state before the change.',
  sequence: 'The number of the event within the session, starting at 1.',
};
