"""What one request may cost: bytes of its body and seconds in all; whoever asks for more is told so."""

import asyncio
from dataclasses import dataclass

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY = 64 * 1024
# So much of a body that is too large is read and thrown away, for a client that sends it all before it listens.
PATIENCE = 4 * 1024 * 1024
SECONDS = 30.0


def refusal(status: int, error: str) -> JSONResponse:
    return JSONResponse({"error": error}, status)


@dataclass(frozen=True)
class Limits:
    """An ASGI application round another one."""

    app: ASGIApp
    body: int = BODY
    seconds: float = SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        watched = _Watched(send)
        try:
            async with asyncio.timeout(self.seconds):
                await self._serve(scope, receive, watched)
        except TimeoutError:
            if watched.started:
                raise
            late = refusal(504, f"no answer within {self.seconds:g} s; the server is busy: try again later")
            await late(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._read(receive)
        if body is None:
            return  # the client has gone
        if len(body) > self.body:
            await refusal(413, f"expected a body of at most {self.body:,} bytes, found a longer one")(
                scope, receive, send
            )
            return
        await self.app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or a little more than the limit of one that is longer."""
        kept, seen = bytearray(), 0
        while seen <= PATIENCE:
            message = await receive()
            if message["type"] != "http.request":
                return None
            chunk = message.get("body", b"")
            seen += len(chunk)
            kept += chunk[: self.body + 1 - len(kept)]
            if not message.get("more_body", False):
                break
        return bytes(kept)


@dataclass
class _Watched:
    """Knows whether an answer has begun."""

    send: Send
    started: bool = False

    async def __call__(self, message: Message) -> None:
        self.started = True
        await self.send(message)


def _replay(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay
