# Generated from the OpenAPI document by `npm run client:python`: do not edit.
from __future__ import annotations

from asyncio import to_thread
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from .models import (
    CancelledSession,
    ChangeWebhookEndpointRequest,
    CreatePracticeRequest,
    CreateSessionRequest,
    CreateWebhookEndpointRequest,
    CreatedPractice,
    CreatedSession,
    CreatedWebhookEndpoint,
    DeletedWebhookEndpoint,
    EraseInvoiceRequest,
    ErasedInvoice,
    ErasedPatient,
    Event,
    EventList,
    EventType,
    ListedPractice,
    OnboardingLink,
    OpenedPayout,
    OpenedPractice,
    Payout,
    PayoutList,
    Practice,
    PracticeList,
    ResentEvent,
    RotateSigningSecretRequest,
    RotatedSigningSecret,
    SentTestEvent,
    Session,
    SessionAuthorization,
    SessionList,
    SessionStatus,
    StartedReplay,
    Status,
    TestUser,
    WebhookDelivery,
    WebhookDeliveryList,
    WebhookEndpoint,
    WebhookEndpointList,
)

from .request import Request, Send, new_key, segment


class AsyncPracticeCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def get(
        self,
    ) -> Practice:
        """Whose key this is, in which mode, what it may do and when it ends. Changes nothing but the
        day of the last use of the key.

        Takes a key with any scope.
        """
        request = Request(
            "GET",
            "/api/practice",
        )
        answer: Practice = await to_thread(self._send, request)
        return answer


class AsyncSessionsCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def create(
        self,
        body: CreateSessionRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedSession:
        """Creates a session for one patient and one invoice and returns the link to send to the
        patient. Send an `Idempotency-Key` to make retries safe: for 24 hours, the same key with
        the same body returns the original response, and concurrent duplicates create one session.
        A rejected request does not use up its key. One invoice can have several sessions.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            "/api/practice/sessions",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )
        answer: CreatedSession = await to_thread(self._send, request)
        return answer

    async def list_page(
        self,
        *,
        status: SessionStatus | Sequence[SessionStatus] | None = None,
        invoice_id: str | None = None,
        created_since: datetime | str | None = None,
        created_before: datetime | str | None = None,
        returned: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SessionList:
        """Newest first, one page at a time. Each item is the same object as the session's status. A
        page can be short or empty before the last one: only a `nextCursor` of `null` ends the
        list. Eventually consistent: a change can take a moment to show. An expired session leaves
        `pending` immediately and can appear in `cancelled` a few minutes later.

        Requires the scope `sessions:read`.
        """
        request = Request(
            "GET",
            "/api/practice/sessions",
            query={
                "status": status,
                "invoiceId": invoice_id,
                "createdSince": created_since,
                "createdBefore": created_before,
                "returned": returned,
                "limit": limit,
                "cursor": cursor,
            },
        )
        answer: SessionList = await to_thread(self._send, request)
        return answer

    async def list(
        self,
        *,
        status: SessionStatus | Sequence[SessionStatus] | None = None,
        invoice_id: str | None = None,
        created_since: datetime | str | None = None,
        created_before: datetime | str | None = None,
        returned: bool = False,
    ) -> AsyncIterator[Session]:
        """Yields every item, newest first, and holds one page at a time."""
        cursor: str | None = None
        while True:
            page = await self.list_page(
                status=status,
                invoice_id=invoice_id,
                created_since=created_since,
                created_before=created_before,
                returned=returned,
                limit=100,
                cursor=cursor,
            )
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def get(
        self,
        session_id: str,
    ) -> Session:
        """Strongly consistent: it reflects every change made before the request, including expiry. Use
        it for reconciliation; webhooks report outcomes sooner. Another practice's session is
        reported as not found.

        Requires the scope `sessions:read`.
        """
        request = Request(
            "GET",
            f"/api/practice/sessions/{segment(session_id)}/status",
        )
        answer: Session = await to_thread(self._send, request)
        return answer

    async def cancel(
        self,
        session_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> CancelledSession:
        """Takes no body. Cancels a session that is `pending`, or `processing` while the debit can
        still be voided. This is not a refund. Strongly consistent. If the bank has not responded
        yet, the response is `cancellation_pending`: the service keeps retrying, and a webhook
        reports the outcome. Send an `Idempotency-Key` to make retries safe: a repeated
        cancellation then returns the original response instead of `session_not_cancellable`.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/sessions/{segment(session_id)}/cancel",
            idempotency_key=idempotency_key or new_key(),
        )
        answer: CancelledSession = await to_thread(self._send, request)
        return answer

    async def erase_patient(
        self,
        session_id: str,
    ) -> ErasedPatient:
        """Takes no body. Removes names, bank account, `metadata` and `returnUrl` from a session that
        has ended, and `metadata` from its events. It cannot be undone; repeating it changes
        nothing. The proof of authorization, which has the name and the bank account, is kept until
        `evidenceKeptUntil`: Nacha requires it. Without an authorization there is none, and the
        field is absent.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/sessions/{segment(session_id)}/erase-patient",
            is_idempotent=True,
        )
        answer: ErasedPatient = await to_thread(self._send, request)
        return answer

    async def erase_patient_of_invoice(
        self,
        body: EraseInvoiceRequest,
    ) -> ErasedInvoice:
        """Does what erasing a session's patient does with every session of the invoice that has ended,
        newest first, and names those that have not. One response covers at most ten sessions:
        repeat the request with its `nextCursor` until that is `null`. It cannot be undone;
        repeating it changes nothing. It answers the same for an invoice without sessions, with
        empty lists. A session that was created a moment ago may be missing.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            "/api/practice/invoices/erase-patient",
            body=body,
            is_idempotent=True,
        )
        answer: ErasedInvoice = await to_thread(self._send, request)
        return answer

    async def get_authorization(
        self,
        session_id: str,
    ) -> SessionAuthorization:
        """What to show a bank that asks whether the debit was authorized. No key has the scope unless
        it was asked for. It is kept for at least seven years, also after the patient was erased.

        Requires the scope `authorizations:read`.
        """
        request = Request(
            "GET",
            f"/api/practice/sessions/{segment(session_id)}/authorization",
        )
        answer: SessionAuthorization = await to_thread(self._send, request)
        return answer


class AsyncEventsCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def list_page(
        self,
        *,
        type: EventType | Sequence[EventType] | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> EventList:
        """Events of the last 30 days, newest first, one page at a time. Each has the webhook's body,
        so that you can recover webhooks that you missed. A page can be short or empty before the
        last one: only a `nextCursor` of `null` ends the list. Eventually consistent: an event can
        take a moment to show. With `sessionId` the list is strongly consistent.

        Requires the scope `events:read`.
        """
        request = Request(
            "GET",
            "/api/practice/events",
            query={
                "type": type,
                "sessionId": session_id,
                "since": since,
                "limit": limit,
                "cursor": cursor,
            },
        )
        answer: EventList = await to_thread(self._send, request)
        return answer

    async def list(
        self,
        *,
        type: EventType | Sequence[EventType] | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
    ) -> AsyncIterator[Event]:
        """Yields every item, newest first, and holds one page at a time."""
        cursor: str | None = None
        while True:
            page = await self.list_page(
                type=type,
                session_id=session_id,
                since=since,
                limit=100,
                cursor=cursor,
            )
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return


class AsyncPayoutsCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def list_page(
        self,
        *,
        since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PayoutList:
        """The deposits to the bank account of the practice, newest first, one page at a time. Up to a
        day old. A sandbox pays nothing out, so its list is empty.

        Requires the scope `payouts:read`.
        """
        request = Request(
            "GET",
            "/api/practice/payouts",
            query={
                "since": since,
                "limit": limit,
                "cursor": cursor,
            },
        )
        answer: PayoutList = await to_thread(self._send, request)
        return answer

    async def list(
        self,
        *,
        since: datetime | str | None = None,
    ) -> AsyncIterator[Payout]:
        """Yields every item, newest first, and holds one page at a time."""
        cursor: str | None = None
        while True:
            page = await self.list_page(
                since=since,
                limit=100,
                cursor=cursor,
            )
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def get(
        self,
        payout_id: str,
    ) -> OpenedPayout:
        """A deposit with the invoices, refunds, returns and fees that it is made of. Up to a day old.
        Another practice's payout is reported as not found.

        Requires the scope `payouts:read`.
        """
        request = Request(
            "GET",
            f"/api/practice/payouts/{segment(payout_id)}",
        )
        answer: OpenedPayout = await to_thread(self._send, request)
        return answer


class AsyncWebhookEndpointsCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def list(
        self,
    ) -> Sequence[WebhookEndpoint]:
        """Every endpoint of the practice, without its secret. Strongly consistent.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "GET",
            "/api/practice/webhook-endpoints",
        )
        answer: WebhookEndpointList = await to_thread(self._send, request)
        return answer["data"]

    async def create(
        self,
        body: CreateWebhookEndpointRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookEndpoint:
        """The response is the only one with the `signingSecret`. The first events can arrive before it
        does. The practice's admins get an email. Send an `Idempotency-Key` to make retries safe:
        for 24 hours, the same key with the same body returns the original response, and concurrent
        duplicates create one endpoint. It does so even if the endpoint was deleted since: to
        create it again, use a new key. A rejected request does not use up its key.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            "/api/practice/webhook-endpoints",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )
        answer: CreatedWebhookEndpoint = await to_thread(self._send, request)
        return answer

    async def get(
        self,
        endpoint_id: str,
    ) -> WebhookEndpoint:
        """Without its secret. Strongly consistent.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "GET",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}",
        )
        answer: WebhookEndpoint = await to_thread(self._send, request)
        return answer

    async def change(
        self,
        endpoint_id: str,
        body: ChangeWebhookEndpointRequest,
    ) -> WebhookEndpoint:
        """An absent field keeps its value. A new URL applies to the next attempt of every delivery.
        While an endpoint is disabled, nothing is sent to it. The practice's admins get an email
        about a new URL.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}",
            body=body,
        )
        answer: WebhookEndpoint = await to_thread(self._send, request)
        return answer

    async def delete(
        self,
        endpoint_id: str,
    ) -> DeletedWebhookEndpoint:
        """Nothing more is sent to it, not even retries. The practice's admins get an email.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "DELETE",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}",
        )
        answer: DeletedWebhookEndpoint = await to_thread(self._send, request)
        return answer

    async def rotate_secret(
        self,
        endpoint_id: str,
        body: RotateSigningSecretRequest | None = None,
    ) -> RotatedSigningSecret:
        """Until `previousSecretExpiresAt`, each webhook carries a signature by both secrets, and by
        older secrets that have not expired, five at most, so calling this twice breaks nothing.
        With `keepOldHours: 0`, only the new secret signs. The body can be left out. The practice's
        admins get an email.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}/rotate-secret",
            body=body,
        )
        answer: RotatedSigningSecret = await to_thread(self._send, request)
        return answer

    async def test(
        self,
        endpoint_id: str,
    ) -> SentTestEvent:
        """Takes no body. Sends a `webhook.test` event with this `eventId` to the endpoint, with the
        usual retries.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}/test",
        )
        answer: SentTestEvent = await to_thread(self._send, request)
        return answer

    async def list_deliveries_page(
        self,
        endpoint_id: str,
        *,
        status: Status | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WebhookDeliveryList:
        """The deliveries to an endpoint of the last 30 days, newest first, one page at a time. A page
        can be short or empty before the last one: only a `nextCursor` of `null` ends the list.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "GET",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}/deliveries",
            query={
                "status": status,
                "limit": limit,
                "cursor": cursor,
            },
        )
        answer: WebhookDeliveryList = await to_thread(self._send, request)
        return answer

    async def list_deliveries(
        self,
        endpoint_id: str,
        *,
        status: Status | None = None,
    ) -> AsyncIterator[WebhookDelivery]:
        """Yields every item, newest first, and holds one page at a time."""
        cursor: str | None = None
        while True:
            page = await self.list_deliveries_page(
                endpoint_id=endpoint_id,
                status=status,
                limit=100,
                cursor=cursor,
            )
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def resend(
        self,
        endpoint_id: str,
        event_id: str,
    ) -> ResentEvent:
        """Takes no body. Sends the same event with the same ID again, with the usual retries.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}/deliveries/{segment(event_id)}/resend",
        )
        answer: ResentEvent = await to_thread(self._send, request)
        return answer

    async def replay(
        self,
        endpoint_id: str,
        since: str,
    ) -> StartedReplay:
        """Sends what is `failed` or `skipped` since then again, at most 14 days back and 1,000
        deliveries per call: while `more` is true, call it again. Safe to repeat.

        Requires the scope `webhooks:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/webhook-endpoints/{segment(endpoint_id)}/replay",
            body={"since": since},
        )
        answer: StartedReplay = await to_thread(self._send, request)
        return answer


class AsyncPracticesCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def create(
        self,
        body: CreatePracticeRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedPractice:
        """Creates a practice in your platform, with the settings that it could choose itself. In
        production, it needs a phone number or an email address for its patients. It has no API key
        and no webhook endpoint of its own. With an `Idempotency-Key`, retries are safe for 24
        hours.

        Requires the scope `practices:write`.
        """
        request = Request(
            "POST",
            "/api/platform/practices",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )
        answer: CreatedPractice = await to_thread(self._send, request)
        return answer

    async def list_page(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PracticeList:
        """By their IDs, one page at a time. Eventually consistent: a practice that was just created
        can take a moment to show.

        Requires the scope `practices:write`.
        """
        request = Request(
            "GET",
            "/api/platform/practices",
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        answer: PracticeList = await to_thread(self._send, request)
        return answer

    async def list(
        self,
    ) -> AsyncIterator[ListedPractice]:
        """Yields every item, newest first, and holds one page at a time."""
        cursor: str | None = None
        while True:
            page = await self.list_page(
                limit=100,
                cursor=cursor,
            )
            for item in page["data"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def get(
        self,
        practice_id: str,
    ) -> OpenedPractice:
        """With what it still needs before live payments. In a sandbox, that is nothing.

        Requires the scope `practices:write`.
        """
        request = Request(
            "GET",
            f"/api/platform/practices/{segment(practice_id)}",
        )
        answer: OpenedPractice = await to_thread(self._send, request)
        return answer

    async def suspend(
        self,
        practice_id: str,
    ) -> ListedPractice:
        """Stops new sessions and new authorizations. Debits that patients authorized, webhooks and
        receipts go on. Suspending it again changes nothing.

        Requires the scope `practices:write`.
        """
        request = Request(
            "POST",
            f"/api/platform/practices/{segment(practice_id)}/suspend",
            is_idempotent=True,
        )
        answer: ListedPractice = await to_thread(self._send, request)
        return answer

    async def resume(
        self,
        practice_id: str,
    ) -> ListedPractice:
        """Ends your suspension, but not one by whoever runs the service.

        Requires the scope `practices:write`.
        """
        request = Request(
            "POST",
            f"/api/platform/practices/{segment(practice_id)}/resume",
            is_idempotent=True,
        )
        answer: ListedPractice = await to_thread(self._send, request)
        return answer

    async def create_onboarding_link(
        self,
        practice_id: str,
    ) -> OnboardingLink:
        """Returns the address of the payment processor's own page, where the practice says which bank
        account its payments go to. It asks only for what is missing. It works once, for a few
        minutes: ask for it when somebody is about to open it. Production only.

        Requires the scope `practices:write`.
        """
        request = Request(
            "POST",
            f"/api/platform/practices/{segment(practice_id)}/onboarding-link",
            is_idempotent=True,
        )
        answer: OnboardingLink = await to_thread(self._send, request)
        return answer


class AsyncSandboxCalls:
    def __init__(self, send: Send) -> None:
        self._send = send

    async def simulate(
        self,
        session_id: str,
        as_: TestUser,
    ) -> Session:
        """Sandbox only. Does with a pending session what a patient would: opens it, signs in as a test
        user, authorizes the debit, and performs the bank's first outcome without its delay; a late
        return, and the outcome of `user_sent`, wait for the next call of `advance`. It runs the
        same code as a patient and sends the same webhooks. `user_bad` and `user_bank_down` leave
        the session `pending`; `expire` sets its `expiresAt` to now. Returns the status afterward.
        Not idempotent: a repeated call gets `session_not_pending`.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/sandbox/sessions/{segment(session_id)}/simulate",
            body={"as": as_},
        )
        answer: Session = await to_thread(self._send, request)
        return answer

    async def advance(
        self,
        session_id: str,
    ) -> Session:
        """Sandbox only. Takes no body. Performs the sandbox bank's next outcome now instead of after
        its delay: the first one of a debit that the patient authorized, a late return, or the
        payment of `user_sent`, which comes only so. From then on, the debit's further outcomes
        wait for this call. Returns the status afterward.

        Requires the scope `sessions:write`.
        """
        request = Request(
            "POST",
            f"/api/practice/sandbox/sessions/{segment(session_id)}/advance",
        )
        answer: Session = await to_thread(self._send, request)
        return answer


class AsyncResources:
    def __init__(self, send: Send) -> None:
        self.practice = AsyncPracticeCalls(send)
        self.sessions = AsyncSessionsCalls(send)
        self.events = AsyncEventsCalls(send)
        self.payouts = AsyncPayoutsCalls(send)
        self.webhook_endpoints = AsyncWebhookEndpointsCalls(send)
        self.practices = AsyncPracticesCalls(send)
        self.sandbox = AsyncSandboxCalls(send)
