"""The clients that a program uses. They hold no connection, can be shared by threads, and need not be closed."""

from __future__ import annotations

import time
from collections.abc import Callable

from .async_operations import AsyncResources
from .operations import Resources
from .transport import connect


class PaymentClient(Resources):
    def __init__(
        self,
        *,
        api_url: str,
        api_key: str,
        practice_id: str | None = None,
        timeout: float = 30,
        maximum_attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises ValueError if the URL or the API key is missing or invalid.

        `api_url`: such as `https://api.example.com`, or with a path if your proxy has one. Plain http only on this machine.
        `practice_id`: with a platform's key, the practice that the calls are for.
        `timeout`: for how many seconds an attempt may wait for a connection, and then for each part of the answer.
        `maximum_attempts`: 1 turns retries off.
        `sleep`: waits before a retry. Pass your own in tests.
        """
        super().__init__(connect(api_url, api_key, practice_id, timeout, maximum_attempts, sleep).send)


class AsyncPaymentClient(AsyncResources):
    """For asyncio. Each call runs in a thread of the event loop's default pool, for as long as it takes.

    A cancelled task does not wait for its call, but the call goes on.
    """

    def __init__(
        self,
        *,
        api_url: str,
        api_key: str,
        practice_id: str | None = None,
        timeout: float = 30,
        maximum_attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Takes what PaymentClient takes."""
        super().__init__(connect(api_url, api_key, practice_id, timeout, maximum_attempts, sleep).send)
