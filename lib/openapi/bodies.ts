import * as z from 'zod';
import * as sessions from '../../functions/contract/sessions/session.ts';
import * as endpoints from '../../functions/contract/webhooks/webhook-endpoints.ts';
import * as deliveries from '../../functions/contract/webhooks/endpoint-deliveries.ts';
import * as payouts from '../../functions/contract/payments/payouts.ts';
import * as platforms from '../../functions/contract/practices/platform-practices.ts';
import { callingPractice } from '../../functions/contract/practices/get-practice.ts';
import * as creation from '../../functions/contract/sessions/create-session.ts';
import * as events from '../../functions/contract/webhooks/list-events.ts';
import { simulateSessionBody } from '../../functions/contract/sessions/sandbox-session.ts';
import * as webhooks from '../../functions/contract/webhooks/webhooks.ts';
import { leastCents } from '../../functions/domain/payments/debit.ts';

/** The names of bodies in the OpenAPI document, which has them in this order. */
export const requests = z
  .registry<{ id: string }>()
  .add(creation.createSessionBody, { id: 'CreateSessionRequest' })
  .add(platforms.newPlatformPractice, { id: 'CreatePracticeRequest' })
  .add(simulateSessionBody, { id: 'SimulateSessionRequest' })
  .add(sessions.eraseInvoiceBody, { id: 'EraseInvoiceRequest' })
  .add(endpoints.newEndpoint, { id: 'CreateWebhookEndpointRequest' })
  .add(endpoints.endpointUpdate, { id: 'ChangeWebhookEndpointRequest' })
  .add(endpoints.secretRotation, { id: 'RotateSigningSecretRequest' })
  .add(deliveries.replayRequest, { id: 'ReplayWebhooksRequest' });

export const responses = z
  .registry<{ id: string }>()
  .add(callingPractice, { id: 'Practice' })
  .add(platforms.listedPractice, { id: 'ListedPractice' })
  .add(platforms.practiceList, { id: 'PracticeList' })
  .add(platforms.openedPractice, { id: 'OpenedPractice' })
  .add(platforms.createdPractice, { id: 'CreatedPractice' })
  .add(platforms.onboardingLink, { id: 'OnboardingLink' })
  .add(creation.createdSession, { id: 'CreatedSession' })
  .add(sessions.sessionStatusBody, { id: 'Session' })
  .add(sessions.sessionList, { id: 'SessionList' })
  .add(sessions.cancelledSession, { id: 'CancelledSession' })
  .add(sessions.erasedPatient, { id: 'ErasedPatient' })
  .add(sessions.erasedInvoice, { id: 'ErasedInvoice' })
  .add(sessions.sessionAuthorization, { id: 'SessionAuthorization' })
  .add(events.listedEvent, { id: 'Event' })
  .add(events.eventList, { id: 'EventList' })
  .add(payouts.listedPayout, { id: 'Payout' })
  .add(payouts.payoutList, { id: 'PayoutList' })
  .add(payouts.openedPayout, { id: 'OpenedPayout' })
  .add(payouts.payoutLine, { id: 'PayoutLine' })
  .add(endpoints.webhookEndpointBody, { id: 'WebhookEndpoint' })
  .add(endpoints.webhookEndpointList, { id: 'WebhookEndpointList' })
  .add(endpoints.createdWebhookEndpoint, { id: 'CreatedWebhookEndpoint' })
  .add(endpoints.deletedWebhookEndpoint, { id: 'DeletedWebhookEndpoint' })
  .add(endpoints.rotatedSigningSecret, { id: 'RotatedSigningSecret' })
  .add(endpoints.sentTestEvent, { id: 'SentTestEvent' })
  .add(deliveries.listedDelivery, { id: 'WebhookDelivery' })
  .add(deliveries.deliveryPage, { id: 'WebhookDeliveryList' })
  .add(deliveries.resentEvent, { id: 'ResentEvent' })
  .add(deliveries.startedReplay, { id: 'StartedReplay' })
  .add(webhooks.sessionWebhook, { id: 'SessionWebhook' })
  .add(webhooks.practiceJoinedWebhook, { id: 'PracticeJoinedWebhook' })
  .add(webhooks.practiceLeftWebhook, { id: 'PracticeLeftWebhook' })
  .add(webhooks.testWebhook, { id: 'TestWebhook' });

const retried =
  'Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response except 2xx and 410.';

/** Keyed by field name, or by `<parent>.<field>` if a name has several meanings. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  sessionId: 'Identifies the session: `ses_` and 26 characters.',
  invoiceId: 'Your identifier for the invoice, returned in the status and in webhooks.',
  amountCents: 'The amount in US cents.',
  'CreateSessionRequest.amountCents': `The amount in US cents. Production refuses less than ${leastCents.live}: the processor debits no less.`,
  patient: 'The patient who is asked to pay. Do not send any other patient data.',
  firstName: 'The first name, or `-` for a person who has only a last name.',
  lastName:
    'The last name, or `-` for a person with one name. The page shows only its initial until a bank is connected.',
  metadata: 'Your own keys and values, returned in the status and in webhooks.',
  'CreateSessionRequest.metadata': `At most ${creation.maximumMetadataKeys} keys and values of your own, which the patient never sees. Keys that name health or account data, and keys or values that look like it, are rejected as \`sensitive_data\`.`,
  locale: 'The language in which the link opens the page. Without it, the browser decides; the patient can switch.',
  returnUrl:
    'The last view of the page links here. Nothing is added to it, nobody is redirected, and it says nothing about the outcome.',
  blockedBy:
    'Why the session cannot be paid although it is `pending`: another session of its invoice was paid or is being paid, or the bank sign-ins of its link are used up.',
  'CreatedSession.blockedBy':
    'Why this link cannot be paid now: another session of its invoice was paid or is being paid.',
  hostedUrl: 'The link to send to the patient. Whoever has it can see what is owed and pay it: treat it as a secret.',
  status: 'The state of the session. `succeeded`, `failed` and `cancelled` are final.',
  'CreatedSession.status': 'Always `pending`. A replay returns the original response.',
  createdAt: 'When the session was created.',
  expiresAt:
    'When a pending session expires. It changes when the patient starts, when they ask for more time, and when staff replace the link. After `pending`, it keeps its last value.',
  openedAt: 'When the patient started on the page. Absent again after staff create a new link.',
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
  refund: 'What was refunded to the patient. The status stays `succeeded`.',
  'refund.amountCents': 'The total of all refunds, completed or pending, in US cents.',
  'refund.status': 'The status of the last refund. Only `succeeded` has arrived.',
  pendingCents: 'The amount of pending refunds, in US cents.',
  failedCents: 'The amount that the bank did not accept, in US cents: the practice still owes it to the patient.',
  refundedAt: 'When the refund last changed.',
  scrubbedAt:
    "When the patient's name, the bank account, `metadata` and `returnUrl` were removed: by your request, or because the session ended long ago. From then on, `metadata` is empty.",
  'EraseInvoiceRequest.cursor': 'The `nextCursor` of the previous response.',
  erased: 'The sessions whose details are removed, now or by an earlier request.',
  notEnded:
    'Sessions that have not ended. Nothing was removed from them: cancel them or wait for the outcome, then repeat the request.',
  sessionStatus: 'The state of the session.',
  'ErasedInvoice.nextCursor': 'The `cursor` for the next sessions; `null` on the last response.',
  evidenceKeptUntil: 'The time until which the proof of authorization is kept, with the name and the bank account.',
  text: 'The text that was accepted, word for word.',
  'SessionAuthorization.locale': 'The language of the text.',
  textHash: 'The SHA-256 hash of the text, in base64url: the ID that the browser sent with the consent.',
  authorizedAt: 'When the debit was authorized.',
  payerName:
    'The name on the bank account, which need not be the patient. Absent if the debit was authorized before the page asked for it.',
  bankAccount: 'The account that is debited.',
  bankName: 'The name of the bank.',
  accountType: 'The kind of account.',
  last4: "The last digits of the account's number.",
  references: 'References by which a bank can find the debit, as far as the processor has reported them.',
  mandate: "The processor's ID of the mandate.",
  payment: 'The reference under which the debit was sent to the bank.',
  routingNumberLast4: "The last digits of the bank's routing number.",
  'return.code': 'The reason, machine-readable.',
  returnedAt: 'When the bank returned the debit.',
  'SessionList.data': 'One page of sessions, newest first.',
  'EventList.data': 'One page of events, newest first.',
  eventId: "Identifies the event: the webhook's `id`.",
  'Event.sessionId': 'The session of the event. Absent for a test, and when a practice joins or leaves.',
  'Event.createdAt': "When it happened: the webhook's `created_at`.",
  body: "The webhook's body, byte for byte as it is signed and sent: JSON in a string. Its `id` is the `eventId`. Once the patient is erased, its `metadata` is empty.",
  'PayoutList.data': 'One page of payouts, newest first.',
  payoutId: 'Identifies the payout at the processor.',
  'PayoutLine.payoutId': 'The payout that includes the line.',
  ...Object.fromEntries(
    ['Payout', 'OpenedPayout'].flatMap((name) => [
      [`${name}.createdAt`, 'When the payout was made.'],
      [
        `${name}.status`,
        'The status of the money: `paid` is in the bank, `failed` and `canceled` are back in the balance.',
      ],
      [
        `${name}.amountCents`,
        'The amount that the bank receives, in US cents. Negative if a negative balance was debited from the bank.',
      ],
    ]),
  ),
  arrivesOn: 'The day on which the payout reaches the bank, such as `2026-11-20`.',
  failureCode: "Why it failed, in the processor's words, such as `account_closed`.",
  addsUp: 'Whether the lines add up to the amount. Absent until the processor lists them.',
  nextPayoutId: 'If this payout failed: the later payout that includes its money.',
  lines: 'The lines of the payout, oldest first.',
  at: 'When the payment, refund or return happened, depending on `category`.',
  category:
    'What happened: `payment` was paid by the patient, `refund` was paid back, `return` was taken back by the bank, `payout_reversal` is the money of a failed payout. `processing` and `failure` belong to debits that were not paid, and cancel each other out.',
  'PayoutLine.sessionId':
    'The session. This field and the next two are absent if the processor does not identify the session.',
  'PayoutLine.invoiceId': "The session's invoice.",
  receiptNumber: "The number on the payer's receipt.",
  'PayoutLine.amountCents': 'The amount in US cents. Negative if it was deducted from the balance.',
  feeCents: 'The fee of the processor and, if there is one, of the operator.',
  applicationFeeCents:
    "The operator's part of `feeCents`, negative where a refund returned it. Absent if the operator takes no fee.",
  netCents: 'The amount less the fee.',
  bookingId: "The processor's ID of the line.",
  as: "A test user, or `expire`, which sets the session's `expiresAt` to now.",
  nextCursor: 'The `cursor` for the next page; `null` on the last page.',
  endpointId: 'Identifies the webhook endpoint: `whe_` and 20 characters.',
  url: 'Where webhooks are sent: a public host, `https://`, port 443.',
  'WebhookEndpoint.url': 'Where webhooks are sent.',
  'CreatedWebhookEndpoint.url': 'Where webhooks are sent.',
  eventTypes:
    'The types of events to send. Absent: all except the opt-in types, which must be named: refunds, requests for a new link, first opens, and practices that join or leave.',
  'ChangeWebhookEndpointRequest.eventTypes': 'The types of events to send; `null` for all except the opt-in types.',
  retryPolicy: retried,
  'CreateWebhookEndpointRequest.retryPolicy': `${retried} Absent: \`standard\`.`,
  'WebhookEndpoint.status': 'Whether webhooks are sent to it.',
  'CreatedWebhookEndpoint.status': 'Whether webhooks are sent to it.',
  'ChangeWebhookEndpointRequest.status': 'Whether webhooks are sent to it.',
  'DeletedWebhookEndpoint.status': 'Always `deleted`.',
  'WebhookEndpoint.createdAt': 'When the endpoint was created.',
  'CreatedWebhookEndpoint.createdAt': 'When the endpoint was created.',
  disabledReason:
    'Why the service disabled it: it answered 410 (`gone`), or every attempt of 5 days failed (`failing`). Absent if a user or an API key disabled it.',
  disabledAt: 'When it was disabled.',
  failingSince: 'When attempts began to fail. Absent after a success.',
  lastFailure: 'How the last failed attempt ended. Absent after a success.',
  'lastFailure.statusCode': 'The status of the response. Absent if there was none.',
  'lastFailure.error':
    'Why there was no complete response, such as `certificate_expired`. The docs list all reasons; new ones can be added.',
  'lastFailure.redirectsTo': 'The target of a redirect. We do not follow it: change the URL.',
  previousSecretExpiresAt: 'When the secret before the last rotation stops signing.',
  signingSecret: 'Verifies webhooks. Store it now: no other call returns it.',
  keepOldHours: 'How many hours the old secret keeps signing. With 0, it stops immediately.',
  'WebhookEndpointList.data': 'Every endpoint.',
  practiceIds: "For a platform's endpoint: only events of these practices. Absent: all of its practices.",
  'ChangeWebhookEndpointRequest.practiceIds':
    "For a platform's endpoint: only events of these practices; `null` for all of its practices.",
  'WebhookDeliveryList.data': 'One page of deliveries, newest first.',
  'WebhookDelivery.practiceId': 'The practice whose event it is.',
  'WebhookDelivery.sessionId': 'The session of the event. Absent for a test, and when a practice joins or leaves.',
  'WebhookDelivery.status':
    'The status of the delivery: `pending` will be sent, `delivered` got a 2xx, `failed` ran out of attempts or was refused, `skipped` was not sent because the endpoint was disabled.',
  'WebhookDelivery.createdAt': 'When the delivery was created, shortly after the event.',
  eventType: "The event's type.",
  attempts: 'How many attempts were made.',
  nextAttemptAt: 'When the next attempt is due, while the delivery is `pending`.',
  deliveredAt: 'When the delivery first got a 2xx.',
  'ReplayWebhooksRequest.since':
    'The time from which to replay, at most 14 days back. An older time counts as 14 days back.',
  'StartedReplay.since': 'Where the replay starts.',
  replayed: 'How many deliveries are resent.',
  more: 'Whether there are more. If so, repeat the call.',
  id: 'Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate.',
  type: 'What happened.',
  created_at:
    'When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events.',
  api_version: 'The version of this body. Fields can be added within a version.',
  livemode: 'Whether real money moves; `false` in the sandbox.',
  practiceId: 'The practice whose event it is, so that one receiver can serve several practices.',
  'SessionWebhook.data': "The session after the change. It never contains the patient's name.",
  'PracticeJoinedWebhook.created_at': 'When it joined.',
  'PracticeJoinedWebhook.practiceId': 'The practice that joined.',
  'PracticeJoinedWebhook.data': 'The membership.',
  'PracticeLeftWebhook.created_at': 'When it left.',
  'PracticeLeftWebhook.practiceId': 'The practice that left.',
  'PracticeLeftWebhook.data': 'The membership that ended.',
  'TestWebhook.data': 'Empty: a test is not about a session.',
  previousStatus: 'The state before the change. Absent in `session.payment.opened`, which changes no state.',
  ...Object.fromEntries(
    ['ListedPractice', 'OpenedPractice', 'CreatedPractice'].flatMap((name) => [
      [`${name}.practiceId`, 'Identifies the practice: `prc_` and 20 characters. Send it as `Practice-Id`.'],
      [`${name}.name`, 'The name that patients see.'],
      [`${name}.status`, '`suspended`: no new payments. `closed` is permanent.'],
      [`${name}.createdAt`, 'When the practice was created.'],
    ]),
  ),
  joinedAt: 'When it joined your platform.',
  leftAt: 'When it left your platform.',
  suspendedAt: 'When the practice was suspended, by you or by the operator.',
  missing: 'What the practice still needs before live payments. Empty if it is ready, and in a sandbox.',
  testBank: 'The credentials for the test bank. Only in a sandbox.',
  password: 'The password of each user.',
  users: 'The users, one for each outcome.',
  scenario: 'The outcome.',
  username: 'The name to sign in with.',
  'PracticeList.data': 'One page of practices, by ID.',
  'OnboardingLink.url': "The payment processor's page. It works once.",
  'CreatePracticeRequest.name': 'The name that patients see.',
  supportPhone: 'The phone number for patients. Production needs this or `supportEmail`.',
  supportEmail: 'The email address for patients.',
  postalAddress: 'For the paper receipt.',
  privacyUrl: 'Its own privacy page, which patients see instead of ours.',
  termsUrl: 'Its own terms, which patients see instead of ours.',
  primaryColor: 'The accent color of the payment page, such as `#0f766e`.',
  timeZone: "The time zone of the dashboard's days, such as `America/Chicago`. Absent: `America/New_York`.",
  linkLifetimeDays: 'How many days an unopened link works. Absent: 7.',
  sessionLifetimeSeconds: 'How many seconds a patient has after starting. Absent: 1800.',
  extensions: 'Whether patients can ask for more time. Absent: they can.',
  invoiceGuard: 'Whether an invoice can be paid only once. Absent: only once.',
  retentionMonths: "How many months after a session's end patients' details are kept. Absent: 24.",
  'Practice.practiceId': 'Identifies the practice: `prc_` and 20 characters.',
  'Practice.name': 'The name that patients see.',
  mode: '`live` moves money, `sandbox` does not.',
  apiKey: 'The key of the request.',
  keyId: 'Identifies the key: the 12 characters after its mode.',
  'apiKey.name': 'The name of the key.',
  scopes: 'What the key may do.',
  'apiKey.expiresAt': 'When the key stops working. Absent: it works until it is revoked.',
  sequence: 'The number of the change within the session, starting at 1. In `session.payment.opened`, 0.',
};
