"""Sends a request, and repeats it where that is safe."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, ProxyHandler, build_opener
from urllib.request import Request as HttpRequest

from .problems import PaymentConnectionError, PaymentProblem
from .request import Request

FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0


@dataclass(frozen=True)
class Connection:
    api_url: str
    api_key: str = field(repr=False)
    practice_id: str | None
    timeout: float
    maximum_attempts: int
    sleep: Callable[[float], None]

    def send(self, request: Request) -> Any:
        """Raises PaymentProblem or PaymentConnectionError."""
        http = self._http(request)
        for attempt in range(1, self.maximum_attempts + 1):
            outcome = self._attempt(http)
            if not isinstance(outcome, Exception):
                return outcome
            is_last = attempt == self.maximum_attempts or not request.can_be_repeated
            wait = None if is_last else retry_wait(outcome, attempt)
            if wait is None:
                break
            self.sleep(wait)
        raise outcome

    def _http(self, request: Request) -> HttpRequest:
        http = HttpRequest(self.api_url + request.target, method=request.method)
        http.add_header("Authorization", f"Bearer {self.api_key}")
        # Some firewalls refuse the library's own.
        http.add_header("User-Agent", "patient-invoice-payment-client-python")
        # A call about the platform names no practice.
        if self.practice_id is not None and not request.target.startswith("/api/platform/"):
            http.add_header("Practice-Id", self.practice_id)
        if request.idempotency_key is not None:
            check_header("idempotency_key", request.idempotency_key)
            http.add_header("Idempotency-Key", request.idempotency_key)
        if request.body is not None:
            http.data = json.dumps(request.body).encode()
            http.add_header("Content-Type", "application/json")
        return http

    def _attempt(self, http: HttpRequest) -> Any:
        """The answer, or the error to raise.

        Returned, not raised here: a traceback with urllib's frames has the API key in their locals, which some error
        trackers record.
        """
        opener = _local_opener if http.type == "http" else _opener
        try:
            with opener.open(http, timeout=self.timeout) as response:
                return outcome_of(response.status, response.headers.get("Retry-After"), response.read())
        except (OSError, HTTPException, UnicodeError) as fault:
            cause = fault.reason if isinstance(fault, URLError) and isinstance(fault.reason, Exception) else fault
        if isinstance(cause, TimeoutError):
            return PaymentConnectionError(f"No answer within {self.timeout:g} seconds.")
        return PaymentConnectionError(f"The connection failed: {type(cause).__name__}: {cause}")


class _EveryAnswer(HTTPErrorProcessor):
    """Passes on every answer: raises for none, and follows no redirect, which would take the API key elsewhere."""

    def http_response(self, request: HttpRequest, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


_opener = build_opener(_EveryAnswer)
#: Plain http is for this machine only, and no proxy shall see its key.
_local_opener = build_opener(_EveryAnswer, ProxyHandler({}))


def outcome_of(status: int, retry_after: str | None, body: bytes) -> Any:
    wait = retry_after_of(retry_after, datetime.now(timezone.utc))
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if isinstance(answer, dict):
        if 200 <= status < 300:
            return answer
        if isinstance(answer.get("code"), str):
            return PaymentProblem(status, answer, wait)
    return PaymentConnectionError(f"{status}: this answer is not from the payment service.", status, wait)


def retry_wait(outcome: Exception, attempt: int) -> float | None:
    """Seconds before the next attempt: exponential backoff with full jitter, after `Retry-After`. None: give up."""
    if not isinstance(outcome, (PaymentProblem, PaymentConnectionError)) or not is_transient(outcome.status):
        return None
    backoff = random.random() * min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))
    retry_after = outcome.retry_after or 0.0
    return None if retry_after > LONGEST_RETRY_AFTER else retry_after + backoff


def is_transient(status: int | None) -> bool:
    """Whether the same request may succeed later. An unreadable success is half an answer."""
    return status is None or status < 300 or status == 429 or status >= 500


def retry_after_of(header: str | None, now: datetime) -> float | None:
    """Seconds or an HTTP date."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max((parsedate_to_datetime(header) - now).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def check_header(option: str, value: str) -> None:
    """The library's own error would quote the API key."""
    if not re.fullmatch(r"[\x20-\x7e]+", value):
        raise ValueError(
            f"{option} is empty or has a character that no header can carry, such as a line break or a curly quote"
        )


def connect(
    api_url: str,
    api_key: str,
    practice_id: str | None,
    timeout: float,
    maximum_attempts: int,
    sleep: Callable[[float], None],
) -> Connection:
    parts = urlsplit(api_url)
    is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.hostname is None or not (parts.scheme == "https" or (parts.scheme == "http" and is_local)):
        raise ValueError("api_url must begin with https://. Only localhost, 127.0.0.1 and [::1] may use http://")
    if parts.username is not None or parts.password is not None:
        raise ValueError("api_url must not have a user name or a password")
    if parts.query or parts.fragment:
        raise ValueError("api_url must end with its path, without a query or a fragment")
    # A key that was read from a file often ends in a line break.
    check_header("api_key", api_key.strip())
    if practice_id is not None:
        check_header("practice_id", practice_id)
    if not timeout > 0:
        raise ValueError("timeout must be a number of seconds above 0")
    if maximum_attempts < 1:
        raise ValueError("maximum_attempts must be at least 1")
    return Connection(api_url.rstrip("/"), api_key.strip(), practice_id, timeout, maximum_attempts, sleep)
