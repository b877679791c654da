"""One request of the API, before it is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Union
from urllib.parse import quote, urlencode
from uuid import uuid4

QueryValue = Union[str, int, bool, datetime, Sequence[str], None]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    idempotency_key: str | None = None
    is_idempotent: bool = False

    @property
    def can_be_repeated(self) -> bool:
        return self.method == "GET" or self.idempotency_key is not None or self.is_idempotent

    @property
    def target(self) -> str:
        pairs = [(name, each) for name, value in self.query.items() for each in _texts(name, value)]
        return self.path if not pairs else f"{self.path}?{urlencode(pairs)}"


Send = Callable[[Request], Any]


def new_key() -> str:
    return str(uuid4())


def segment(value: str) -> str:
    return quote(value, safe="")


def _texts(name: str, value: QueryValue) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return ["true"]
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} has no time zone: use datetime.now(timezone.utc), for example")
        return [value.isoformat()]
    return [str(value)] if isinstance(value, (str, int)) else list(value)
