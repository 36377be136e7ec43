"""The routes: our page and its questions, and MLflow's protocol beside them."""

from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp

from mwp.data.questions import MAX_CHARACTERS
from mwp.serving.batcher import Batcher, Busy
from mwp.serving.limits import SECONDS, Limits, refusal
from mwp.tracking.scoring import Scorer
from mwp.tracking.solver_model import MOST

JSON = "application/json"
# The page brings all its parts along and talks to this server alone.
PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


class Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str = Field(max_length=MAX_CHARACTERS)
    k: int = Field(5, ge=1, le=MOST)
    raw: bool = False


def make_app(scorer: Scorer, page: str, seconds: float = SECONDS) -> ASGIApp:
    app = FastAPI(openapi_url=None)  # its pages of documentation would load scripts from elsewhere
    batcher = Batcher(scorer.answers)

    @app.get("/")
    async def show() -> Response:
        return HTMLResponse(page, headers=PAGE_HEADERS)

    @app.get("/ping")
    @app.get("/health")
    async def health() -> Response:
        return JSONResponse({"status": "ok", "model": scorer.name})

    @app.post("/solve")
    async def solve(request: Request) -> Response:
        asked = _asked(request.headers.get("content-type", ""), await request.body())
        answer = await batcher.ask(asked.text, asked.k, asked.raw)
        return JSONResponse(answer, 422 if "error" in answer else 200)

    @app.post("/invocations")
    async def invoke(request: Request) -> Response:
        reply = await batcher.compute(scorer.reply, await request.body(), request.headers.get("content-type", ""))
        return Response(reply.content, media_type=JSON) if reply.status == 200 else refusal(reply.status, reply.content)

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


def _asked(content_type: str, body: bytes) -> Asked:
    if content_type.partition(";")[0].strip().lower() != JSON:
        raise HTTPException(415, f"expected the content type {JSON}, found {content_type[:80] or 'none'}")
    try:
        return Asked.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        status = 400 if first["type"] == "json_invalid" else 422
        raise HTTPException(status, f"{where}: {first['msg']}" if where else str(first["msg"])) from error
