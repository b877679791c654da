# Generated from the OpenAPI document by `npm run client:python`: do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # built into type checkers


SessionStatus = Literal[
    "pending",
    "processing",
    "succeeded",
    "failed",
    "cancelled",
]


SessionBlockedBy = Literal[
    "invoice_already_paid",
    "payment_in_progress",
    "bank_connection_locked",
]


SessionFailureCode = Literal[
    "insufficient_funds",
    "account_closed",
    "account_not_found",
    "debit_not_authorized",
    "account_frozen",
    "bank_declined",
    "processor_error",
    "account_unusable",
    "practice_account_restricted",
    "processor_limit_exceeded",
    "authorization_invalid",
    "authorization_expired",
]


class SessionFailure(TypedDict):
    """Why the payment failed."""

    code: SessionFailureCode
    """The reason, machine-readable."""
    message: str
    """The reason, human-readable."""
    achReturnCode: NotRequired[str]
    """The ACH network's return code, such as `R01`, if there is one."""


SessionCancellationReason = Literal[
    "requested_by_practice",
    "expired",
]


class SessionCancellation(TypedDict):
    """Why the session was cancelled."""

    reason: SessionCancellationReason
    """Whether the practice requested it or the session expired."""


SessionReturnCode = Literal[
    "insufficient_funds",
    "account_closed",
    "account_not_found",
    "debit_not_authorized",
    "account_frozen",
    "bank_declined",
    "processor_error",
]


class SessionReturn(TypedDict):
    """Present if the bank returned a settled debit. The status stays `succeeded`."""

    code: SessionReturnCode
    """The reason, machine-readable."""
    achReturnCode: NotRequired[str]
    """The ACH network's return code, such as `R01`, if there is one."""
    returnedAt: str
    """When the bank returned the debit."""


SessionRefundStatus = Literal[
    "pending",
    "succeeded",
    "failed",
]


class SessionRefund(TypedDict):
    """What was refunded to the patient. The status stays `succeeded`."""

    amountCents: int
    """The total of all refunds, completed or pending, in US cents."""
    status: NotRequired[SessionRefundStatus]
    """The status of the last refund. Only `succeeded` has arrived."""
    pendingCents: NotRequired[int]
    """The amount of pending refunds, in US cents."""
    failedCents: NotRequired[int]
    """The amount that the bank did not accept, in US cents: the practice still owes it to the patient."""
    refundedAt: str
    """When the refund last changed."""


Session = TypedDict(
    "Session",
    {
        # Identifies the session: `ses_` and 26 characters.
        "sessionId": 'str',
        # Your identifier for the invoice, returned in the status and in webhooks.
        "invoiceId": 'str',
        # The state of the session. `succeeded`, `failed` and `cancelled` are final.
        "status": 'SessionStatus',
        # The amount in US cents.
        "amountCents": 'int',
        # When the session was created.
        "createdAt": 'str',
        # Your own keys and values, returned in the status and in webhooks.
        "metadata": 'Mapping[str, str]',
        # When a pending session expires. It changes when the patient starts, when they ask for more time, and when staff replace the link. After `pending`, it keeps its last value.
        "expiresAt": 'str',
        # When the patient started on the page. Absent again after staff create a new link.
        "openedAt": 'NotRequired[str]',
        # Why the session cannot be paid although it is `pending`: another session of its invoice was paid or is being paid, or the bank sign-ins of its link are used up.
        "blockedBy": 'NotRequired[SessionBlockedBy]',
        # When the patient authorized the debit.
        "processingAt": 'NotRequired[str]',
        # When the funds were confirmed.
        "settledAt": 'NotRequired[str]',
        # When the payment failed.
        "failedAt": 'NotRequired[str]',
        # Why the payment failed.
        "failure": 'NotRequired[SessionFailure]',
        # When the session was cancelled. For an expired session, this equals `expiresAt`.
        "cancelledAt": 'NotRequired[str]',
        # Why the session was cancelled.
        "cancellation": 'NotRequired[SessionCancellation]',
        # Present if the bank returned a settled debit. The status stays `succeeded`.
        "return": 'NotRequired[SessionReturn]',
        # What was refunded to the patient. The status stays `succeeded`.
        "refund": 'NotRequired[SessionRefund]',
        # When the patient's name, the bank account, `metadata` and `returnUrl` were removed: by your request, or because the session ended long ago. From then on, `metadata` is empty.
        "scrubbedAt": 'NotRequired[str]',
    },
)


EventType = Literal[
    "session.payment.processing",
    "session.payment.succeeded",
    "session.payment.failed",
    "session.payment.cancelled",
    "session.payment.returned",
    "session.payment.refunded",
    "session.payment.refund_failed",
    "session.payment.link_requested",
    "session.payment.opened",
    "practice.joined",
    "practice.left",
    "webhook.test",
]


class Event(TypedDict):
    eventId: str
    """Identifies the event: the webhook's `id`."""
    type: EventType
    """What happened."""
    createdAt: str
    """When it happened: the webhook's `created_at`."""
    sessionId: NotRequired[str]
    """The session of the event. Absent for a test, and when a practice joins or leaves."""
    body: str
    """The webhook's body, byte for byte as it is signed and sent: JSON in a string. Its `id` is the `eventId`. Once the patient is erased, its `metadata` is empty."""


class SessionPaymentProcessingEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["processing"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    processingAt: str
    """When the patient authorized the debit."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: Literal["pending"]
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentProcessingEvent(TypedDict):
    """The patient authorized the debit."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.processing"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentProcessingEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentSucceededEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["succeeded"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    settledAt: str
    """When the funds were confirmed."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: Literal["processing"]
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentSucceededEvent(TypedDict):
    """The funds are confirmed."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.succeeded"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentSucceededEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentFailedEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["failed"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    failedAt: str
    """When the payment failed."""
    failure: SessionFailure
    """Why the payment failed."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: Literal["processing"]
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentFailedEvent(TypedDict):
    """The bank or the processor refused the payment."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.failed"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentFailedEventData
    """The session after the change. It never contains the patient's name."""


SessionPaymentCancelledEventDataPreviousStatus = Literal[
    "pending",
    "processing",
]


class SessionPaymentCancelledEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["cancelled"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    cancelledAt: str
    """When the session was cancelled. For an expired session, this equals `expiresAt`."""
    cancellation: SessionCancellation
    """Why the session was cancelled."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: SessionPaymentCancelledEventDataPreviousStatus
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentCancelledEvent(TypedDict):
    """The practice cancelled the session, or it expired."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.cancelled"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentCancelledEventData
    """The session after the change. It never contains the patient's name."""


SessionPaymentReturnedEventData = TypedDict(
    "SessionPaymentReturnedEventData",
    {
        # Identifies the session: `ses_` and 26 characters.
        "sessionId": 'str',
        # Your identifier for the invoice, returned in the status and in webhooks.
        "invoiceId": 'str',
        # The amount in US cents.
        "amountCents": 'int',
        # The state of the session. `succeeded`, `failed` and `cancelled` are final.
        "status": 'Literal["succeeded"]',
        # The number of the change within the session, starting at 1. In `session.payment.opened`, 0.
        "sequence": 'int',
        # When the funds were confirmed.
        "settledAt": 'str',
        # Present if the bank returned a settled debit. The status stays `succeeded`.
        "return": 'SessionReturn',
        # What was refunded to the patient. The status stays `succeeded`.
        "refund": 'NotRequired[SessionRefund]',
        # Your own keys and values, returned in the status and in webhooks.
        "metadata": 'Mapping[str, str]',
        # The state before the change. Absent in `session.payment.opened`, which changes no state.
        "previousStatus": 'Literal["succeeded"]',
    },
)


class SessionPaymentReturnedEvent(TypedDict):
    """The bank returned a settled debit."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.returned"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentReturnedEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentRefundedEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["succeeded"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    settledAt: str
    """When the funds were confirmed."""
    refund: SessionRefund
    """What was refunded to the patient. The status stays `succeeded`."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: Literal["succeeded"]
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentRefundedEvent(TypedDict):
    """The patient got money back."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.refunded"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentRefundedEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentRefundFailedEvent(TypedDict):
    """The patient's bank did not take a refund."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.refund_failed"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentRefundedEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentLinkRequestedEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["cancelled"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""
    previousStatus: Literal["cancelled"]
    """The state before the change. Absent in `session.payment.opened`, which changes no state."""


class SessionPaymentLinkRequestedEvent(TypedDict):
    """The patient asked for a new link, because this one expired."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.link_requested"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentLinkRequestedEventData
    """The session after the change. It never contains the patient's name."""


class SessionPaymentOpenedEventData(TypedDict):
    """The session after the change. It never contains the patient's name."""

    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    status: Literal["pending"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    sequence: int
    """The number of the change within the session, starting at 1. In `session.payment.opened`, 0."""
    metadata: Mapping[str, str]
    """Your own keys and values, returned in the status and in webhooks."""


class SessionPaymentOpenedEvent(TypedDict):
    """The patient first did something on the payment page."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["session.payment.opened"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: SessionPaymentOpenedEventData
    """The session after the change. It never contains the patient's name."""


class PracticeJoinedEventData(TypedDict):
    """The membership."""

    joinedAt: str
    """When it joined your platform."""


class PracticeJoinedEvent(TypedDict):
    """A practice joined your platform."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    created_at: str
    """When it joined."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice that joined."""
    type: Literal["practice.joined"]
    """What happened."""
    data: PracticeJoinedEventData
    """The membership."""


class PracticeLeftEventData(TypedDict):
    """The membership that ended."""

    joinedAt: str
    """When it joined your platform."""
    leftAt: str
    """When it left your platform."""


class PracticeLeftEvent(TypedDict):
    """A practice left your platform."""

    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    created_at: str
    """When it left."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice that left."""
    type: Literal["practice.left"]
    """What happened."""
    data: PracticeLeftEventData
    """The membership that ended."""


class WebhookTestEventData(TypedDict):
    """Empty: a test is not about a session."""


class WebhookTestEvent(TypedDict):
    id: str
    """Identifies the event. It is the same in every attempt and equals `webhook-id`. Use it to deduplicate."""
    type: Literal["webhook.test"]
    """What happened."""
    created_at: str
    """When it happened. It strictly increases within a session. Use it, not the order of arrival, to order events."""
    api_version: str
    """The version of this body. Fields can be added within a version."""
    livemode: bool
    """Whether real money moves; `false` in the sandbox."""
    practiceId: str
    """The practice whose event it is, so that one receiver can serve several practices."""
    data: WebhookTestEventData
    """Empty: a test is not about a session."""


WebhookEvent = Union[
    SessionPaymentProcessingEvent,
    SessionPaymentSucceededEvent,
    SessionPaymentFailedEvent,
    SessionPaymentCancelledEvent,
    SessionPaymentReturnedEvent,
    SessionPaymentRefundedEvent,
    SessionPaymentRefundFailedEvent,
    SessionPaymentLinkRequestedEvent,
    SessionPaymentOpenedEvent,
    PracticeJoinedEvent,
    PracticeLeftEvent,
    WebhookTestEvent,
]


RequestErrorCode = Literal[
    "required",
    "invalid_type",
    "invalid_value",
    "out_of_range",
    "too_long",
    "unknown_field",
    "too_many_keys",
    "repeated_key",
    "sensitive_data",
]


RequestErrorRule = Literal[
    "card_number",
    "social_security_number",
    "icd_10_code",
    "sensitive_key",
]


class RequestError(TypedDict):
    pointer: str
    """A JSON pointer into the body, or the name of a header or parameter. For an unknown field or a metadata key, it points to the containing object."""
    index: NotRequired[int]
    """Which name in the object at `pointer` is at fault: its position in the order sent, from 0. The name itself is never repeated."""
    code: RequestErrorCode
    """The error, machine-readable."""
    detail: str
    """The error, human-readable."""
    rule: NotRequired[RequestErrorRule]
    """With `sensitive_data`: what the text looks like."""
    expected: NotRequired[str]
    """What the field takes: the type, then the format in words."""
    minimum: NotRequired[int]
    """The least it takes: a number, a length, or how many items."""
    maximum: NotRequired[int]
    """The most it takes: a number, a length, or how many items or keys."""


ProblemCode = Literal[
    "api_key_expired",
    "api_key_invalid",
    "api_key_missing",
    "api_key_revoked",
    "api_key_wrong_mode",
    "authorization_not_found",
    "bank_connection_locked",
    "body_too_large",
    "cancellation_pending",
    "contact_required",
    "delivery_in_progress",
    "delivery_not_found",
    "idempotency_key_reused",
    "internal_error",
    "invalid_cursor",
    "invalid_json",
    "invalid_request",
    "invoice_already_paid",
    "no_outcome_pending",
    "not_ready_for_live",
    "payment_in_progress",
    "payment_not_voidable",
    "payout_not_found",
    "platform_key_required",
    "practice_closed",
    "practice_id_missing",
    "practice_id_not_allowed",
    "practice_not_found",
    "practice_suspended",
    "rate_limited",
    "route_not_found",
    "scope_missing",
    "session_not_cancellable",
    "session_not_ended",
    "session_not_found",
    "session_not_pending",
    "since_in_future",
    "temporarily_unavailable",
    "too_many_webhook_endpoints",
    "unsupported_media_type",
    "webhook_endpoint_disabled",
    "webhook_endpoint_not_found",
    "webhook_url_not_allowed",
]


PracticeMode = Literal[
    "sandbox",
    "live",
]


PracticeApiKeyScopes = Literal[
    "sessions:read",
    "sessions:write",
    "events:read",
    "payouts:read",
    "webhooks:write",
    "authorizations:read",
    "practices:write",
]


class PracticeApiKey(TypedDict):
    """The key of the request."""

    keyId: str
    """Identifies the key: the 12 characters after its mode."""
    name: str
    """The name of the key."""
    scopes: Sequence[PracticeApiKeyScopes]
    """What the key may do."""
    expiresAt: NotRequired[str]
    """When the key stops working. Absent: it works until it is revoked."""


class Practice(TypedDict):
    practiceId: str
    """Identifies the practice: `prc_` and 20 characters."""
    name: str
    """The name that patients see."""
    mode: PracticeMode
    """`live` moves money, `sandbox` does not."""
    apiKey: PracticeApiKey
    """The key of the request."""


class CreateSessionRequestPatient(TypedDict):
    """The patient who is asked to pay. Do not send any other patient data."""

    firstName: str
    """The first name, or `-` for a person who has only a last name. One line of printable characters, not blank, without health or account data."""
    lastName: str
    """The last name, or `-` for a person with one name. The page shows only its initial until a bank is connected. One line of printable characters, not blank, without health or account data."""


CreateSessionRequestLocale = Literal[
    "en",
    "es",
]


class CreateSessionRequest(TypedDict):
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks. One line of printable characters, not blank, without health or account data."""
    amountCents: int
    """The amount in US cents. Production refuses less than 50: the processor debits no less."""
    patient: CreateSessionRequestPatient
    """The patient who is asked to pay. Do not send any other patient data."""
    metadata: NotRequired[Mapping[str, str]]
    """At most 16 keys and values of your own, which the patient never sees. Keys that name health or account data, and keys or values that look like it, are rejected as `sensitive_data`."""
    locale: NotRequired[CreateSessionRequestLocale]
    """The language in which the link opens the page. Without it, the browser decides; the patient can switch."""
    returnUrl: NotRequired[str]
    """The last view of the page links here. Nothing is added to it, nobody is redirected, and it says nothing about the outcome. An https URL of printable ASCII characters without a username or password, without health or account data."""


CreatedSessionBlockedBy = Literal[
    "invoice_already_paid",
    "payment_in_progress",
]


class CreatedSession(TypedDict):
    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    hostedUrl: str
    """The link to send to the patient. Whoever has it can see what is owed and pay it: treat it as a secret."""
    status: Literal["pending"]
    """Always `pending`. A replay returns the original response."""
    amountCents: int
    """The amount in US cents."""
    expiresAt: str
    """When a pending session expires. It changes when the patient starts, when they ask for more time, and when staff replace the link. After `pending`, it keeps its last value."""
    createdAt: str
    """When the session was created."""
    blockedBy: NotRequired[CreatedSessionBlockedBy]
    """Why this link cannot be paid now: another session of its invoice was paid or is being paid."""


class SessionList(TypedDict):
    data: Sequence[Session]
    """One page of sessions, newest first."""
    nextCursor: str | None
    """The `cursor` for the next page; `null` on the last page."""


class CancelledSession(TypedDict):
    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    status: Literal["cancelled"]
    """The state of the session. `succeeded`, `failed` and `cancelled` are final."""
    cancelledAt: str
    """When the session was cancelled. For an expired session, this equals `expiresAt`."""


class ErasedPatient(TypedDict):
    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    scrubbedAt: str
    """When the patient's name, the bank account, `metadata` and `returnUrl` were removed: by your request, or because the session ended long ago. From then on, `metadata` is empty."""
    evidenceKeptUntil: NotRequired[str]
    """The time until which the proof of authorization is kept, with the name and the bank account."""


class EraseInvoiceRequest(TypedDict):
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks. One line of printable characters, not blank."""
    cursor: NotRequired[str]
    """The `nextCursor` of the previous response."""


class ErasedInvoiceNotEnded(TypedDict):
    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    sessionStatus: SessionStatus
    """The state of the session."""


class ErasedInvoice(TypedDict):
    erased: Sequence[ErasedPatient]
    """The sessions whose details are removed, now or by an earlier request."""
    notEnded: Sequence[ErasedInvoiceNotEnded]
    """Sessions that have not ended. Nothing was removed from them: cancel them or wait for the outcome, then repeat the request."""
    nextCursor: str | None
    """The `cursor` for the next sessions; `null` on the last response."""


SessionAuthorizationBankAccountAccountType = Literal[
    "checking",
    "savings",
]


class SessionAuthorizationBankAccount(TypedDict):
    """The account that is debited."""

    bankName: str
    """The name of the bank."""
    accountType: SessionAuthorizationBankAccountAccountType
    """The kind of account."""
    last4: str
    """The last digits of the account's number."""


class SessionAuthorizationReferences(TypedDict):
    """References by which a bank can find the debit, as far as the processor has reported them."""

    mandate: NotRequired[str]
    """The processor's ID of the mandate."""
    payment: NotRequired[str]
    """The reference under which the debit was sent to the bank."""
    routingNumberLast4: NotRequired[str]
    """The last digits of the bank's routing number."""


class SessionAuthorization(TypedDict):
    sessionId: str
    """Identifies the session: `ses_` and 26 characters."""
    invoiceId: str
    """Your identifier for the invoice, returned in the status and in webhooks."""
    amountCents: int
    """The amount in US cents."""
    text: str
    """The text that was accepted, word for word."""
    locale: CreateSessionRequestLocale
    """The language of the text."""
    textHash: str
    """The SHA-256 hash of the text, in base64url: the ID that the browser sent with the consent."""
    authorizedAt: str
    """When the debit was authorized."""
    payerName: NotRequired[str]
    """The name on the bank account, which need not be the patient. Absent if the debit was authorized before the page asked for it."""
    bankAccount: SessionAuthorizationBankAccount
    """The account that is debited."""
    references: SessionAuthorizationReferences
    """References by which a bank can find the debit, as far as the processor has reported them."""


class EventList(TypedDict):
    data: Sequence[Event]
    """One page of events, newest first."""
    nextCursor: str | None
    """The `cursor` for the next page; `null` on the last page."""


PayoutStatus = Literal[
    "pending",
    "in_transit",
    "paid",
    "failed",
    "canceled",
]


class Payout(TypedDict):
    payoutId: str
    """Identifies the payout at the processor."""
    createdAt: str
    """When the payout was made."""
    arrivesOn: str
    """The day on which the payout reaches the bank, such as `2026-11-20`."""
    status: PayoutStatus
    """The status of the money: `paid` is in the bank, `failed` and `canceled` are back in the balance."""
    failureCode: NotRequired[str]
    """Why it failed, in the processor's words, such as `account_closed`."""
    amountCents: int
    """The amount that the bank receives, in US cents. Negative if a negative balance was debited from the bank."""


class PayoutList(TypedDict):
    data: Sequence[Payout]
    """One page of payouts, newest first."""
    nextCursor: str | None
    """The `cursor` for the next page; `null` on the last page."""


PayoutLineCategory = Literal[
    "payment",
    "processing",
    "failure",
    "refund",
    "return",
    "payout",
    "payout_reversal",
    "other",
]


class PayoutLine(TypedDict):
    at: str
    """When the payment, refund or return happened, depending on `category`."""
    category: PayoutLineCategory
    """What happened: `payment` was paid by the patient, `refund` was paid back, `return` was taken back by the bank, `payout_reversal` is the money of a failed payout. `processing` and `failure` belong to debits that were not paid, and cancel each other out."""
    sessionId: NotRequired[str]
    """The session. This field and the next two are absent if the processor does not identify the session."""
    invoiceId: NotRequired[str]
    """The session's invoice."""
    receiptNumber: NotRequired[str]
    """The number on the payer's receipt."""
    amountCents: int
    """The amount in US cents. Negative if it was deducted from the balance."""
    feeCents: int
    """The fee of the processor and, if there is one, of the operator."""
    applicationFeeCents: NotRequired[int]
    """The operator's part of `feeCents`, negative where a refund returned it. Absent if the operator takes no fee."""
    netCents: int
    """The amount less the fee."""
    payoutId: NotRequired[str]
    """The payout that includes the line."""
    bookingId: str
    """The processor's ID of the line."""


class OpenedPayout(TypedDict):
    payoutId: str
    """Identifies the payout at the processor."""
    createdAt: str
    """When the payout was made."""
    arrivesOn: str
    """The day on which the payout reaches the bank, such as `2026-11-20`."""
    status: PayoutStatus
    """The status of the money: `paid` is in the bank, `failed` and `canceled` are back in the balance."""
    failureCode: NotRequired[str]
    """Why it failed, in the processor's words, such as `account_closed`."""
    amountCents: int
    """The amount that the bank receives, in US cents. Negative if a negative balance was debited from the bank."""
    addsUp: NotRequired[bool]
    """Whether the lines add up to the amount. Absent until the processor lists them."""
    nextPayoutId: NotRequired[str]
    """If this payout failed: the later payout that includes its money."""
    lines: Sequence[PayoutLine]
    """The lines of the payout, oldest first."""


WebhookEndpointStatus = Literal[
    "enabled",
    "disabled",
]


WebhookEndpointRetryPolicy = Literal[
    "standard",
    "all",
]


WebhookEndpointDisabledReason = Literal[
    "gone",
    "failing",
]


class WebhookEndpointLastFailure(TypedDict):
    """How the last failed attempt ended. Absent after a success."""

    statusCode: NotRequired[int]
    """The status of the response. Absent if there was none."""
    error: NotRequired[str]
    """Why there was no complete response, such as `certificate_expired`. The docs list all reasons; new ones can be added."""
    redirectsTo: NotRequired[str]
    """The target of a redirect. We do not follow it: change the URL."""


class WebhookEndpoint(TypedDict):
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    url: str
    """Where webhooks are sent."""
    status: WebhookEndpointStatus
    """Whether webhooks are sent to it."""
    eventTypes: NotRequired[Sequence[str]]
    """The types of events to send. Absent: all except the opt-in types, which must be named: refunds, requests for a new link, first opens, and practices that join or leave."""
    practiceIds: NotRequired[Sequence[str]]
    """For a platform's endpoint: only events of these practices. Absent: all of its practices."""
    retryPolicy: WebhookEndpointRetryPolicy
    """Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response except 2xx and 410."""
    createdAt: str
    """When the endpoint was created."""
    disabledReason: NotRequired[WebhookEndpointDisabledReason]
    """Why the service disabled it: it answered 410 (`gone`), or every attempt of 5 days failed (`failing`). Absent if a user or an API key disabled it."""
    disabledAt: NotRequired[str]
    """When it was disabled."""
    failingSince: NotRequired[str]
    """When attempts began to fail. Absent after a success."""
    lastFailure: NotRequired[WebhookEndpointLastFailure]
    """How the last failed attempt ended. Absent after a success."""
    previousSecretExpiresAt: NotRequired[str]
    """When the secret before the last rotation stops signing."""


class WebhookEndpointList(TypedDict):
    data: Sequence[WebhookEndpoint]
    """Every endpoint."""


CreateWebhookEndpointRequestEventTypes = Literal[
    "session.payment.processing",
    "session.payment.succeeded",
    "session.payment.failed",
    "session.payment.cancelled",
    "session.payment.returned",
    "session.payment.refunded",
    "session.payment.refund_failed",
    "session.payment.link_requested",
    "session.payment.opened",
    "practice.joined",
    "practice.left",
]


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """Where webhooks are sent: a public host, `https://`, port 443. One line of printable characters, not blank, without health or account data."""
    eventTypes: NotRequired[Sequence[CreateWebhookEndpointRequestEventTypes]]
    """The types of events to send. Absent: all except the opt-in types, which must be named: refunds, requests for a new link, first opens, and practices that join or leave."""
    practiceIds: NotRequired[Sequence[str]]
    """For a platform's endpoint: only events of these practices. Absent: all of its practices."""
    retryPolicy: NotRequired[WebhookEndpointRetryPolicy]
    """Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response except 2xx and 410. Absent: `standard`."""


class CreatedWebhookEndpoint(TypedDict):
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    url: str
    """Where webhooks are sent."""
    status: WebhookEndpointStatus
    """Whether webhooks are sent to it."""
    eventTypes: NotRequired[Sequence[str]]
    """The types of events to send. Absent: all except the opt-in types, which must be named: refunds, requests for a new link, first opens, and practices that join or leave."""
    practiceIds: NotRequired[Sequence[str]]
    """For a platform's endpoint: only events of these practices. Absent: all of its practices."""
    retryPolicy: WebhookEndpointRetryPolicy
    """Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response except 2xx and 410."""
    createdAt: str
    """When the endpoint was created."""
    disabledReason: NotRequired[WebhookEndpointDisabledReason]
    """Why the service disabled it: it answered 410 (`gone`), or every attempt of 5 days failed (`failing`). Absent if a user or an API key disabled it."""
    disabledAt: NotRequired[str]
    """When it was disabled."""
    failingSince: NotRequired[str]
    """When attempts began to fail. Absent after a success."""
    lastFailure: NotRequired[WebhookEndpointLastFailure]
    """How the last failed attempt ended. Absent after a success."""
    previousSecretExpiresAt: NotRequired[str]
    """When the secret before the last rotation stops signing."""
    signingSecret: str
    """Verifies webhooks. Store it now: no other call returns it."""


class ChangeWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    """Where webhooks are sent: a public host, `https://`, port 443. One line of printable characters, not blank, without health or account data."""
    eventTypes: NotRequired[Sequence[CreateWebhookEndpointRequestEventTypes] | None]
    """The types of events to send; `null` for all except the opt-in types."""
    practiceIds: NotRequired[Sequence[str] | None]
    """For a platform's endpoint: only events of these practices; `null` for all of its practices."""
    retryPolicy: NotRequired[WebhookEndpointRetryPolicy]
    """Which responses are retried: `standard` retries network errors, timeouts, 5xx, 408, 425 and 429; `all` retries every response except 2xx and 410."""
    status: NotRequired[WebhookEndpointStatus]
    """Whether webhooks are sent to it."""


class DeletedWebhookEndpoint(TypedDict):
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    status: Literal["deleted"]
    """Always `deleted`."""


class RotateSigningSecretRequest(TypedDict):
    keepOldHours: NotRequired[int]
    """How many hours the old secret keeps signing. With 0, it stops immediately."""


class RotatedSigningSecret(TypedDict):
    signingSecret: str
    """Verifies webhooks. Store it now: no other call returns it."""
    previousSecretExpiresAt: str
    """When the secret before the last rotation stops signing."""


class SentTestEvent(TypedDict):
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    eventId: str
    """Identifies the event: the webhook's `id`."""


Status = Literal[
    "pending",
    "delivered",
    "failed",
    "skipped",
]


class WebhookDelivery(TypedDict):
    eventId: str
    """Identifies the event: the webhook's `id`."""
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    eventType: str
    """The event's type."""
    status: Status
    """The status of the delivery: `pending` will be sent, `delivered` got a 2xx, `failed` ran out of attempts or was refused, `skipped` was not sent because the endpoint was disabled."""
    attempts: int
    """How many attempts were made."""
    createdAt: str
    """When the delivery was created, shortly after the event."""
    nextAttemptAt: NotRequired[str]
    """When the next attempt is due, while the delivery is `pending`."""
    deliveredAt: NotRequired[str]
    """When the delivery first got a 2xx."""
    practiceId: str
    """The practice whose event it is."""
    sessionId: NotRequired[str]
    """The session of the event. Absent for a test, and when a practice joins or leaves."""


class WebhookDeliveryList(TypedDict):
    data: Sequence[WebhookDelivery]
    """One page of deliveries, newest first."""
    nextCursor: str | None
    """The `cursor` for the next page; `null` on the last page."""


class ResentEvent(TypedDict):
    endpointId: str
    """Identifies the webhook endpoint: `whe_` and 20 characters."""
    eventId: str
    """Identifies the event: the webhook's `id`."""


class StartedReplay(TypedDict):
    since: str
    """Where the replay starts."""
    replayed: int
    """How many deliveries are resent."""
    more: bool
    """Whether there are more. If so, repeat the call."""


class CreatePracticeRequest(TypedDict):
    name: str
    """The name that patients see. One line of printable characters, not blank, without health or account data."""
    sessionLifetimeSeconds: NotRequired[int]
    """How many seconds a patient has after starting. Absent: 1800."""
    extensions: NotRequired[bool]
    """Whether patients can ask for more time. Absent: they can."""
    linkLifetimeDays: NotRequired[int]
    """How many days an unopened link works. Absent: 7."""
    supportPhone: NotRequired[str]
    """The phone number for patients. Production needs this or `supportEmail`. A phone number of 7 to 15 digits, which may have an extension, in at most 40 characters, without health or account data."""
    supportEmail: NotRequired[str]
    """The email address for patients. Without health or account data."""
    postalAddress: NotRequired[str]
    """For the paper receipt. Printable characters, at most 4 lines, without health or account data."""
    privacyUrl: NotRequired[str]
    """Its own privacy page, which patients see instead of ours. An https URL without a username or password, without health or account data."""
    termsUrl: NotRequired[str]
    """Its own terms, which patients see instead of ours. An https URL without a username or password, without health or account data."""
    primaryColor: NotRequired[str]
    """The accent color of the payment page, such as `#0f766e`."""
    invoiceGuard: NotRequired[bool]
    """Whether an invoice can be paid only once. Absent: only once."""
    retentionMonths: NotRequired[int]
    """How many months after a session's end patients' details are kept. Absent: 24."""
    timeZone: NotRequired[str]
    """The time zone of the dashboard's days, such as `America/Chicago`. Absent: `America/New_York`."""


CreatedPracticeStatus = Literal[
    "active",
    "suspended",
    "closed",
]


class CreatedPracticeTestBankUsers(TypedDict):
    scenario: str
    """The outcome."""
    username: str
    """The name to sign in with."""


class CreatedPracticeTestBank(TypedDict):
    """The credentials for the test bank. Only in a sandbox."""

    password: str
    """The password of each user."""
    users: Sequence[CreatedPracticeTestBankUsers]
    """The users, one for each outcome."""


class CreatedPractice(TypedDict):
    practiceId: str
    """Identifies the practice: `prc_` and 20 characters. Send it as `Practice-Id`."""
    name: str
    """The name that patients see."""
    status: CreatedPracticeStatus
    """`suspended`: no new payments. `closed` is permanent."""
    createdAt: str
    """When the practice was created."""
    joinedAt: str
    """When it joined your platform."""
    suspendedAt: NotRequired[str]
    """When the practice was suspended, by you or by the operator."""
    testBank: NotRequired[CreatedPracticeTestBank]
    """The credentials for the test bank. Only in a sandbox."""


class ListedPractice(TypedDict):
    practiceId: str
    """Identifies the practice: `prc_` and 20 characters. Send it as `Practice-Id`."""
    name: str
    """The name that patients see."""
    status: CreatedPracticeStatus
    """`suspended`: no new payments. `closed` is permanent."""
    createdAt: str
    """When the practice was created."""
    joinedAt: str
    """When it joined your platform."""
    suspendedAt: NotRequired[str]
    """When the practice was suspended, by you or by the operator."""


class PracticeList(TypedDict):
    data: Sequence[ListedPractice]
    """One page of practices, by ID."""
    nextCursor: str | None
    """The `cursor` for the next page; `null` on the last page."""


OpenedPracticeMissing = Literal[
    "terms",
    "deposit",
    "contact",
    "branding",
]


class OpenedPractice(TypedDict):
    practiceId: str
    """Identifies the practice: `prc_` and 20 characters. Send it as `Practice-Id`."""
    name: str
    """The name that patients see."""
    status: CreatedPracticeStatus
    """`suspended`: no new payments. `closed` is permanent."""
    createdAt: str
    """When the practice was created."""
    joinedAt: str
    """When it joined your platform."""
    suspendedAt: NotRequired[str]
    """When the practice was suspended, by you or by the operator."""
    missing: Sequence[OpenedPracticeMissing]
    """What the practice still needs before live payments. Empty if it is ready, and in a sandbox."""


class OnboardingLink(TypedDict):
    url: str
    """The payment processor's page. It works once."""


TestUser = Literal[
    "user_good",
    "user_bad",
    "user_bank_down",
    "user_insufficient_funds",
    "user_account_closed",
    "user_declined",
    "user_processor_error",
    "user_stuck",
    "user_sent",
    "user_late_return",
    "expire",
]
