"""The routes of `mwp serve`, MLflow's protocol beside them, and what one request may cost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mwp.data.readers import MAX_CHARACTERS
from mwp.inference.texts import MAX_ANSWERS
from mwp.serving.batcher import Batcher, Busy
from mwp.serving.local import Served

JSON = "application/json"
# The page brings all its parts along and talks to this server alone.
PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
MAX_BODY_BYTES = 64 * 1024
# So much of a body that is too large is read and thrown away, for a client that sends it all before it listens.
MAX_DISCARDED_BYTES = 4 * 1024 * 1024
SECONDS = 30.0


class SolveRequest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str = Field(max_length=MAX_CHARACTERS)
    k: int = Field(5, ge=1, le=MAX_ANSWERS)
    raw: bool = False


def make_app(served: Served, page: str, seconds: float = SECONDS) -> ASGIApp:
    app = FastAPI(openapi_url=None)  # its documentation pages would load scripts from elsewhere
    batcher = Batcher(served.answers)

    @app.get("/")
    async def show() -> Response:
        return HTMLResponse(page, headers=PAGE_HEADERS)

    @app.get("/ping")
    @app.get("/health")
    async def health() -> Response:
        return JSONResponse({"status": "ok", "model": served.name})

    @app.post("/solve")
    async def solve(request: Request) -> Response:
        asked = _asked(request.headers.get("content-type", ""), await request.body())
        answer = await batcher.ask(asked.text, asked.k, asked.raw)
        return JSONResponse(answer, 422 if "error" in answer else 200)

    if served.reply is not None:
        _add_invocations(app, batcher, served.reply)

    @app.exception_handler(HTTPException)
    async def refuse(request: Request, error: HTTPException) -> Response:
        return refusal(error.status_code, f"{request.method} {request.url.path}: {error.detail}")

    @app.exception_handler(Busy)
    async def turn_away(request: Request, error: Busy) -> Response:
        return refusal(503, "too many questions are waiting; try again later")

    @app.exception_handler(Exception)
    async def admit(request: Request, error: Exception) -> Response:
        return refusal(500, "the server failed to answer; its log says why")

    return Limits(app, seconds=seconds)


def _add_invocations(app: FastAPI, batcher: Batcher, reply: Callable[[bytes, str], Any]) -> None:
    """MLflow's protocol."""

    @app.post("/invocations")
    async def invoke(request: Request) -> Response:
        found = await batcher.compute(reply, await request.body(), request.headers.get("content-type", ""))
        return Response(found.content, media_type=JSON) if found.status == 200 else refusal(found.status, found.content)


def _asked(content_type: str, body: bytes) -> SolveRequest:
    if content_type.partition(";")[0].strip().lower() != JSON:
        raise HTTPException(415, f"expected the content type {JSON}, found {content_type[:80] or 'none'}")
    try:
        return SolveRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        status = 400 if first["type"] == "json_invalid" else 422
        raise HTTPException(status, f"{where}: {first['msg']}" if where else str(first["msg"])) from error


def refusal(status: int, error: str) -> JSONResponse:
    return JSONResponse({"error": error}, status)


@dataclass(frozen=True)
class Limits:
    """An ASGI application round another one."""

    app: ASGIApp
    body: int = MAX_BODY_BYTES
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
        received, seen = bytearray(), 0
        while seen <= MAX_DISCARDED_BYTES:
            message = await receive()
            if message["type"] != "http.request":
                return None
            chunk = message.get("body", b"")
            seen += len(chunk)
            received += chunk[: self.body + 1 - len(received)]
            if not message.get("more_body", False):
                break
        return bytes(received)


@dataclass
class _Watched:
    """Records whether an answer has begun."""

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
