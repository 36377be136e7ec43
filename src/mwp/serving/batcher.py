"""Questions of many clients, answered in small batches by the one thread that computes."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

BATCH_SIZE = 32
MAX_WAITING = 1000
Result = TypeVar("Result")
# Texts, k and raw to an answer for each text.
Solve = Callable[[Sequence[str], int, bool], Sequence[dict[str, Any]]]


class Busy(Exception):
    """More clients wait than can be served in good time."""


@dataclass(frozen=True)
class Question:
    """Only questions with the same k and raw go into one batch."""

    text: str
    k: int
    raw: bool
    answer: "asyncio.Future[dict[str, Any]]"


@dataclass
class Batcher:
    solve: Solve
    _waiting: list[Question] = field(default_factory=list)
    _draining: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "inference")

    async def ask(self, text: str, k: int, raw: bool) -> dict[str, Any]:
        if len(self._waiting) >= MAX_WAITING:
            raise Busy
        question = Question(text, k, raw, asyncio.get_running_loop().create_future())
        self._waiting.append(question)
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        return await question.answer

    async def compute(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Other work in the same thread, in turn."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def _drain(self) -> None:
        while batch := self._take():
            try:
                answers = await self.compute(self.solve, [one.text for one in batch], batch[0].k, batch[0].raw)
            except Exception as error:
                _settle(batch, [error] * len(batch))
            else:
                _settle(batch, answers)

    def _take(self) -> list[Question]:
        """The oldest question and those like it; a client that has gone has a cancelled one."""
        self._waiting = [one for one in self._waiting if not one.answer.done()]
        alike = [one for one in self._waiting if (one.k, one.raw) == (self._waiting[0].k, self._waiting[0].raw)]
        batch = alike[:BATCH_SIZE]
        taken = set(map(id, batch))
        self._waiting = [one for one in self._waiting if id(one) not in taken]
        return batch


def _settle(batch: Sequence[Question], results: Sequence[dict[str, Any] | Exception]) -> None:
    for question, result in zip(batch, results, strict=True):
        if question.answer.done():
            continue
        if isinstance(result, Exception):
            question.answer.set_exception(result)
        else:
            question.answer.set_result(result)
