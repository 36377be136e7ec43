"""The lives of buffered solutions as text: a small table for each, epochs from left to right."""

from collections.abc import Iterator, Sequence

from mwp.arith.numerals import print_numeral
from mwp.evaluation.lives import Life, Lives, Moment

COLUMNS = 12
SOUNDNESS = {True: "sound", False: "spurious", None: "no ground truth"}


def lives_text(lives: Lives) -> str:
    numbers = ", ".join(f"N{place} = {spelling}" for place, spelling in enumerate(lives.numbers))
    lines = [
        f"{lives.problem} in {lives.system} fold {lives.fold}",
        lives.text,
        f"{numbers}; answer {print_numeral(lives.answer)}",
        f"{len(lives.solutions)} solutions{_refusals(lives.refused)}",
    ]
    for place, life in enumerate(lives.solutions, 1):
        lines += ["", f"{place}. {life.equation} = {life.worked}", f"   {_origin(life)}", *_weights(life.weights)]
    return "\n".join(lines)


def _refusals(refused: dict[str, int]) -> str:
    """The same solution may be refused at every update."""
    return "".join(f"; {count} times refused: {reason}" for reason, count in refused.items())


def _origin(life: Life) -> str:
    prior = "" if life.prior is None else f", log share in the prior {life.prior:.2f}"
    return f"{life.source}, epoch {life.epoch}, {SOUNDNESS[life.sound]}{prior}"


def _weights(moments: Sequence[Moment]) -> Iterator[str]:
    for start in range(0, len(moments), COLUMNS):
        some = moments[start : start + COLUMNS]
        yield _row("epoch", [str(moment.epoch) for moment in some])
        for name in ("s", "t", "a"):
            yield _row(name, [_figure(getattr(moment, name)) for moment in some])


def _row(name: str, cells: Sequence[str]) -> str:
    return f"   {name:<5}" + "".join(f"{cell:>7}" for cell in cells)


def _figure(weight: float | None) -> str:
    return "-" if weight is None else f"{weight:.3f}"
