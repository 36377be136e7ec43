"""What a request may cost, with a toy application inside."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from mwp.serving.app import Limits


async def echo(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


async def sleeper(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.sleep(60)


def call(app: Any, chunks: Iterable[bytes], seconds: float = 5) -> tuple[int, bytes]:
    parts = list(chunks)
    messages = [
        {"type": "http.request", "body": part, "more_body": position + 1 < len(parts)}
        for position, part in enumerate(parts)
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0) if messages else await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Limits(app, body=10, seconds=seconds)({"type": "http"}, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def test_a_body_up_to_the_limit_comes_through_whole() -> None:
    assert call(echo, [b"01234", b"56789"]) == (200, b"0123456789")
    assert call(echo, [b""]) == (200, b"")


def test_a_longer_body_is_refused_however_it_comes() -> None:
    for chunks in ([b"01234567890"], [b"0123", b"4567", b"8901"], [b"x" * 2**20] * 9):
        status, body = call(echo, chunks)
        assert (status, json.loads(body)) == (
            413,
            {"error": "expected a body of at most 10 bytes, found a longer one"},
        )


def test_a_late_answer_and_a_body_that_never_ends_are_refused_in_time() -> None:
    expected = {"error": "no answer within 0.1 s; the server is busy: try again later"}
    status, body = call(sleeper, [b"x"], seconds=0.1)
    assert (status, json.loads(body)) == (504, expected)
    status, body = call(echo, [], seconds=0.1)
    assert (status, json.loads(body)) == (504, expected)
