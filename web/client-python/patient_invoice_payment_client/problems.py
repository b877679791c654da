"""The two errors that a call can raise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .models import ProblemCode, RequestError, SessionStatus


class PaymentProblem(Exception):
    """The service refused the request. Decide by `code`; new codes can be added."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        super().__init__(status, problem, retry_after)
        self.status = status
        self.code: ProblemCode = problem["code"]
        self.detail: str = problem.get("detail", "")
        #: Quote it when you ask for help.
        self.request_id: str | None = problem.get("requestId")
        #: What is wrong with the request, with `invalid_request` and `invalid_json`.
        self.errors: Sequence[RequestError] = problem.get("errors", [])
        #: With `session_not_cancellable`, `session_not_pending` and `session_not_ended`.
        self.session_status: SessionStatus | None = problem.get("sessionStatus")
        #: Seconds to wait before a retry, if the answer says.
        self.retry_after = retry_after

    def __str__(self) -> str:
        lines = [f"{self.status} {self.code}: {self.detail}"]
        for error in self.errors:
            facts = {name: fact for name, fact in cast("Mapping[str, object]", error).items() if name in _facts}
            lines.append(
                ", ".join([f"  {error['pointer']} {error['code']}", *(f"{name} {facts[name]}" for name in facts)])
            )
        return "\n".join(lines)


_facts = ("rule", "index", "expected", "minimum", "maximum")


class PaymentConnectionError(Exception):
    """No answer of the service arrived, so whether the request took effect is unknown.

    It stands for every fault on the way: a refused or broken connection, a timeout, a proxy's HTML page, half an answer.
    """

    def __init__(self, message: str, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message, status, retry_after)
        #: The status of the gateway or proxy that answered instead of the service, if one did.
        self.status = status
        #: Seconds to wait before a retry, if that answer says.
        self.retry_after = retry_after

    def __str__(self) -> str:
        return str(self.args[0])
