"""Small batches: who is answered, in which company, and who is not."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from mwp.serving import batcher
from mwp.serving.batcher import Batcher, Busy


class Echo:
    """Answers with the text; waits at the gate, so that a test can let questions pile up."""

    def __init__(self) -> None:
        self.batches: list[tuple[list[str], int, bool]] = []
        self.gate = threading.Event()

    def __call__(self, texts: Sequence[str], k: int, raw: bool) -> list[dict[str, Any]]:
        assert self.gate.wait(10)
        self.batches.append((list(texts), k, raw))
        if "bad" in texts:
            raise RuntimeError("a bad one")
        return [{"answer": text} for text in texts]


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 20))


def test_everybody_gets_the_own_answer_and_like_questions_share_a_batch() -> None:
    echo = Echo()

    async def ask_all() -> list[dict[str, Any]]:
        asked = Batcher(echo)
        questions = [
            asyncio.create_task(asked.ask(str(position), 5 if position % 2 else 3, False)) for position in range(100)
        ]
        await asyncio.sleep(0)
        echo.gate.set()
        return list(await asyncio.gather(*questions))

    assert run(ask_all()) == [{"answer": str(position)} for position in range(100)]
    assert len(echo.batches) < 10
    assert all(len(texts) <= batcher.BATCH_SIZE for texts, _, _ in echo.batches)
    assert all({5 if int(text) % 2 else 3 for text in texts} == {k} for texts, k, _ in echo.batches)


def test_who_has_gone_is_left_out_and_the_others_are_answered() -> None:
    echo = Echo()

    async def leave() -> dict[str, Any]:
        asked = Batcher(echo)
        first = asyncio.create_task(asked.ask("first", 5, False))
        await asyncio.sleep(0.05)
        gone, stays = (asyncio.create_task(asked.ask(text, 5, False)) for text in ("gone", "stays"))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        echo.gate.set()
        await first
        return await stays

    assert run(leave()) == {"answer": "stays"}
    assert [texts for texts, _, _ in echo.batches] == [["first"], ["stays"]]


def test_a_failure_reaches_those_of_its_batch_alone() -> None:
    echo = Echo()
    echo.gate.set()

    async def fail() -> dict[str, Any]:
        asked = Batcher(echo)
        with pytest.raises(RuntimeError, match="a bad one"):
            await asked.ask("bad", 5, False)
        return await asked.ask("good", 5, False)

    assert run(fail()) == {"answer": "good"}


def test_too_many_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batcher, "MAX_WAITING", 3)
    echo = Echo()

    async def crowd() -> None:
        asked = Batcher(echo)
        tasks = [asyncio.create_task(asked.ask("first", 5, False))]
        await asyncio.sleep(0.05)
        tasks += [asyncio.create_task(asked.ask("next", 5, False)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await asked.ask("late", 5, False)
        echo.gate.set()
        await asyncio.gather(*tasks)

    run(crowd())
