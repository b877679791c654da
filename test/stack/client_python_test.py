"""Run by client-python.test.ts, with the address and key of a local stack and a webhook that the service signed."""

import asyncio
import json
import os
import socket
import struct
import threading
import traceback
import unittest
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

from patient_invoice_payment_client import (
    AsyncPaymentClient,
    PaymentClient,
    PaymentConnectionError,
    PaymentProblem,
    WebhookVerificationError,
    event_of,
    sign_webhook,
    verify_webhook,
)
from patient_invoice_payment_client.models import CreateSessionRequest, WebhookTestEvent

given = json.loads(os.environ["PYTHON_CLIENT_TEST"])
api_url: str = given["apiUrl"]
api_key: str = given["apiKey"]
secret_key = "pip_sandbox_never_shown"

CLOSED, RESET, SILENT = "closed", "reset", "silent"


def answer(status: int, body: object, headers: str = "", length: int | None = None) -> bytes:
    text = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    size = len(text) if length is None else length
    return f"HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {size}\r\n{headers}\r\n".encode() + text


class Service:
    """Gives each connection the next of the answers, and the last one from then on."""

    def __init__(self, *answers: bytes | str) -> None:
        self.requests: list[str] = []
        self._answers = list(answers)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(65536).decode())
                given = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                if isinstance(given, bytes):
                    connection.sendall(given)
                if given == RESET:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if given == SILENT:
                    connection.recv(1)  # until the client gives up

    def stop(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)  # ends its accept()
        self._socket.close()


new_session: CreateSessionRequest = {
    "invoiceId": "INV-python",
    "amountCents": 5000,
    "patient": {"firstName": "Ada", "lastName": "Okafor"},
}
created = answer(201, {"sessionId": "ses_1"})
html = answer(502, "<html>Bad Gateway</html>")
throttled = {"code": "rate_limited", "detail": "Wait.", "requestId": "req_1"}


class AgainstFaults(unittest.TestCase):
    def service(self, *answers: bytes | str) -> Service:
        service = Service(*answers)
        self.addCleanup(service.stop)
        return service

    def url_without_server(self) -> str:
        bound = socket.socket()
        self.addCleanup(bound.close)
        bound.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{bound.getsockname()[1]}"

    def client(self, url: str, timeout: float = 30, maximum_attempts: int = 4) -> PaymentClient:
        self.waits: list[float] = []
        return PaymentClient(
            api_url=url, api_key=secret_key, timeout=timeout, maximum_attempts=maximum_attempts, sleep=self.waits.append
        )

    def test_a_fault_on_the_way_is_one_error_after_four_attempts_with_one_key(self) -> None:
        broken_off = answer(201, '{"sessionId": "se', length=100)
        half = answer(201, '{"sessionId": "se')
        for fault in (CLOSED, RESET, html, broken_off, half, b"no HTTP\r\n\r\n", answer(200, "[]")):
            with self.subTest(fault=fault):
                service = self.service(fault)
                with self.assertRaises(PaymentConnectionError):
                    self.client(service.url).sessions.create(new_session)
                keys = [line for request in service.requests for line in request.split("\r\n") if "Idempotency" in line]
                self.assertEqual([len(keys), len(set(keys)), len(self.waits)], [4, 1, 3])

    def test_a_fault_is_repeated_until_the_service_answers(self) -> None:
        for fault in (CLOSED, RESET, html, answer(429, {"message": "Too Many Requests"}), answer(500, throttled)):
            with self.subTest(fault=fault):
                service = self.service(fault, fault, created)
                self.assertEqual(self.client(service.url).sessions.create(new_session)["sessionId"], "ses_1")

    def test_no_answer_in_time_and_no_server_are_the_same_error(self) -> None:
        with self.assertRaisesRegex(PaymentConnectionError, "No answer within 0.2 seconds"):
            self.client(self.service(SILENT).url, timeout=0.2, maximum_attempts=1).sessions.get("ses_1")
        with self.assertRaisesRegex(PaymentConnectionError, "ConnectionRefused"):
            self.client(self.url_without_server()).sessions.get("ses_1")
        self.assertEqual(len(self.waits), 3)

    def test_a_request_that_must_not_run_twice_is_sent_once(self) -> None:
        service = self.service(html)
        with self.assertRaises(PaymentConnectionError) as raised:
            self.client(service.url).sandbox.advance("ses_1")
        self.assertEqual([raised.exception.status, len(service.requests)], [502, 1])
        erased = self.service(html, answer(200, {"sessionId": "ses_1"}))
        self.client(erased.url).sessions.erase_patient("ses_1")

    def test_a_retry_waits_as_long_as_the_answer_says(self) -> None:
        soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=50), usegmt=True)
        for header, least in (("7", 7.0), (soon, 30.0)):
            service = self.service(answer(429, throttled, f"Retry-After: {header}\r\n"), created)
            self.client(service.url).sessions.create(new_session)
            self.assertGreaterEqual(self.waits[0], least)
        late = self.service(answer(429, throttled, "Retry-After: 61\r\n"))
        with self.assertRaises(PaymentProblem) as raised:
            self.client(late.url).sessions.create(new_session)
        self.assertEqual([raised.exception.retry_after, len(late.requests)], [61, 1])

    def test_a_redirect_is_not_followed(self) -> None:
        elsewhere = self.service(answer(200, {"data": []}))
        service = self.service(answer(302, "", f"Location: {elsewhere.url}\r\n"))
        with self.assertRaises(PaymentConnectionError):
            self.client(service.url).webhook_endpoints.list()
        self.assertEqual(elsewhere.requests, [])

    def test_no_error_shows_the_key(self) -> None:
        client = self.client(self.url_without_server(), maximum_attempts=1)
        self.assertNotIn(secret_key, repr(vars(client.sessions)))
        try:  # not assertRaises, which clears the locals
            client.sessions.create(new_session)
            self.fail("it should not be sent")
        except PaymentConnectionError as error:
            shown = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        self.assertIn("INV-python", shown)
        self.assertNotIn(secret_key, shown)
        for key in ("", f"{secret_key}\nX: y", f"{secret_key}\u201d"):
            with self.assertRaises(ValueError) as refused:
                PaymentClient(api_url="https://api.example.com", api_key=key)
            self.assertNotIn(secret_key, str(refused.exception))

    def test_a_platform_names_the_practice(self) -> None:
        service = self.service(answer(200, {}))
        PaymentClient(api_url=service.url, api_key=secret_key, practice_id="prc_1").sessions.get("ses_1")
        self.assertIn("\r\nPractice-Id: prc_1\r\n", service.requests[0])

    def test_a_url_that_would_leak_the_key_is_refused(self) -> None:
        for url in (
            "http://api.example.com",
            "api.example.com",
            "https://me@api.example.com",
            "https://api.example.com/?a",
        ):
            with self.assertRaises(ValueError, msg=url):
                PaymentClient(api_url=url, api_key=secret_key)


class AgainstAStack(unittest.TestCase):
    payments = PaymentClient(api_url=api_url, api_key=api_key)

    def test_one_key_makes_one_session_and_lists_find_what_happened_to_it(self) -> None:
        first, again = (self.payments.sessions.create(new_session, idempotency_key="python-1") for _ in range(2))
        self.assertEqual(first, again)
        other = self.payments.sessions.create(new_session)
        listed = self.payments.sessions.list(
            status=["pending"], invoice_id="INV-python", created_since="2020-01-01T00:00:00Z"
        )
        self.assertEqual([each["sessionId"] for each in listed], [other["sessionId"], first["sessionId"]])
        page = self.payments.sessions.list_page(limit=1, created_before=datetime.now(timezone.utc) + timedelta(hours=1))
        self.assertEqual([len(page["data"]), page["nextCursor"] is None], [1, False])
        paid = self.payments.sandbox.simulate(first["sessionId"], "user_good")
        self.assertEqual(paid["status"], "succeeded")
        events = [event_of(each) for each in self.payments.events.list(session_id=first["sessionId"])]
        self.assertEqual(
            [event["type"] for event in events], ["session.payment.succeeded", "session.payment.processing"]
        )
        with self.assertRaises(PaymentProblem) as raised:
            self.payments.sessions.cancel(first["sessionId"])
        problem = raised.exception
        self.assertEqual(
            [problem.code, problem.status, problem.session_status], ["session_not_cancellable", 409, "succeeded"]
        )
        self.assertIsNotNone(problem.request_id)

    def test_a_refused_request_says_what_is_wrong(self) -> None:
        with self.assertRaisesRegex(PaymentProblem, "400 invalid_request.*\n  /amountCents out_of_range, .*minimum 1"):
            self.payments.sessions.create({**new_session, "amountCents": 0})

    def test_asyncio_creates_and_lists(self) -> None:
        async def many() -> tuple[Sequence[str], Sequence[str]]:
            payments = AsyncPaymentClient(api_url=api_url, api_key=api_key)
            body: CreateSessionRequest = {**new_session, "invoiceId": "INV-async"}
            sessions = await asyncio.gather(*(payments.sessions.create(body) for _ in range(3)))
            listed = [each["sessionId"] async for each in payments.sessions.list(invoice_id="INV-async")]
            return [each["sessionId"] for each in sessions], listed

        made, listed = asyncio.run(many())
        self.assertEqual(sorted(made), sorted(listed))


class Webhooks(unittest.TestCase):
    body: bytes = given["webhook"]["body"].encode()
    headers: dict[str, str] = given["webhook"]["headers"]
    secrets: list[str] = given["webhook"]["secrets"]
    now: float = given["webhook"]["timestamp"]

    def refused(self, *, error: type[Exception] = WebhookVerificationError, message: str = "", **changed: Any) -> None:
        usual: dict[str, Any] = {"body": self.body, "headers": self.headers, "secrets": self.secrets, "now": self.now}
        with self.assertRaisesRegex(error, message):
            verify_webhook(**{**usual, **changed})

    def test_one_that_the_service_signed_with_two_secrets_is_accepted_with_either(self) -> None:
        for secrets in (self.secrets, *self.secrets):
            event = verify_webhook(self.body, self.headers, secrets, now=self.now)
            self.assertEqual(event, json.loads(self.body))
        upper = {name.upper(): value for name, value in self.headers.items()}
        verify_webhook(self.body.decode(), upper, self.secrets, now=self.now + 300)

    def test_one_that_is_altered_old_or_signed_with_another_secret_is_refused(self) -> None:
        self.refused(body=self.body + b" ")
        self.refused(now=self.now + 301, message="too old")
        self.refused(secrets=[])
        self.refused(secrets="whsec_" + "A" * 43 + "=")
        self.refused(headers={**self.headers, "webhook-id": "evt_2"})
        self.refused(headers={**self.headers, "webhook-timestamp": "soon"})
        self.refused(headers={**self.headers, "webhook-signature": "v1, v1"})
        self.refused(headers={}, message="webhook-id is missing")
        for name in ("webhook-id", "webhook-signature"):
            self.refused(headers={**self.headers, name: "caf\xe9 caf\udce9"})

    def test_a_mistake_of_the_receiver_has_a_message_of_its_own(self) -> None:
        self.refused(body=json.loads(self.body), error=TypeError, message="parsed already")
        self.refused(body=b"", error=ValueError, message="empty")
        for secret in ("", "whsec_", "whsec_" + "A" * 41, f"{self.secrets[0]}\n"):
            self.refused(secrets=secret, error=ValueError, message="all of whsec_.*line breaks")

    def test_one_that_is_signed_here_is_verified_here(self) -> None:
        event: WebhookTestEvent = {
            "id": "evt_1",
            "type": "webhook.test",
            "created_at": "2026-11-20T10:00:00.000Z",
            "api_version": "2026-11-20",
            "livemode": False,
            "practiceId": "prc_1",
            "data": {},
        }
        signed = sign_webhook(event, self.secrets[0])
        self.assertEqual(verify_webhook(signed.body, signed.headers, self.secrets), event)


unittest.main()
