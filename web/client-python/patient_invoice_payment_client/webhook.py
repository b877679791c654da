"""Verifies webhooks: Standard Webhooks 1.0.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .models import Event, WebhookEvent


class WebhookVerificationError(Exception):
    """The webhook is forged, altered, too old, or signed with another secret."""


class Headers(Protocol):
    """What every framework's headers have."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event of a genuine webhook.

    `body` is raw, as received: parsed and serialized again, it would not match the signature. `secrets` is the endpoint's
    `whsec_…` secret, or several while you rotate. `tolerance` is how many seconds the webhook's time may differ from yours.

    Raises WebhookVerificationError if it is not genuine. Answer 503, so that it is sent again if your secret is at fault.
    Raises TypeError if the body is not raw, and ValueError if it is empty or a secret is malformed.
    """
    raw = _raw(body)
    keys = [_key(each) for each in ([secrets] if isinstance(secrets, str) else secrets)]
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (_header(given, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    clock = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(clock - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The webhook is too old, or a clock is wrong.")
    expected = [_signature(key, event_id, timestamp, raw) for key in keys]
    if not any(hmac.compare_digest(_bytes(each), own) for each in signatures.split(" ") for own in expected):
        raise WebhookVerificationError("No signature of the webhook matches.")
    event: WebhookEvent = json.loads(raw)
    return event


def event_of(listed: Event) -> WebhookEvent:
    """Reads a listed event's body, which is the webhook's. For received webhooks, use `verify_webhook`."""
    event: WebhookEvent = json.loads(listed["body"])
    return event


@dataclass(frozen=True)
class SignedWebhook:
    headers: dict[str, str]
    body: bytes


def sign_webhook(event: WebhookEvent, secret: str, *, now: float | None = None) -> SignedWebhook:
    """For tests of your receiver: the request with which the service would send this event."""
    body = json.dumps(event).encode()
    timestamp = str(int(time.time() if now is None else now))
    signature = _signature(_key(secret), event["id"], timestamp, body).decode()
    headers = {
        "content-type": "application/json",
        "webhook-id": event["id"],
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
    }
    return SignedWebhook(headers, body)


def _raw(body: object) -> bytes:
    """Checked at run time, because frameworks pass parsed bodies untyped."""
    if not isinstance(body, (bytes, str)):
        raise TypeError("The body is parsed already. Pass the raw bytes or text, as received.")
    if len(body) == 0:
        raise ValueError(
            "The body is empty: it is parsed already, or was read before. Pass the raw bytes or text, as received."
        )
    return _bytes(body) if isinstance(body, str) else body


def _bytes(text: str) -> bytes:
    """Also of what is no UTF-8, as aiohttp decodes it: anyone can send such headers."""
    return text.encode(errors="surrogateescape")


def _header(headers: dict[str, str], name: str) -> str:
    value = headers.get(name, "")
    if value == "":
        raise WebhookVerificationError(f"The header {name} is missing.")
    return value


def _signature(key: bytes, event_id: str, timestamp: str, body: bytes) -> bytes:
    signed = _bytes(f"{event_id}.{timestamp}.") + body
    return b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))


_MALFORMED = "A webhook secret must be all of whsec_…, without spaces or line breaks around it."


def _key(secret: str) -> bytes:
    """24 to 64 bytes by specification: with an empty key anyone can sign."""
    if not re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,86}={0,2}", secret):
        raise ValueError(_MALFORMED)
    try:
        return base64.b64decode(secret.removeprefix("whsec_"))
    except binascii.Error:
        raise ValueError(_MALFORMED) from None
