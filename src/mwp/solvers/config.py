"""Records of settings, all with defaults, and the shape of a solver, whatever its backbone."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mwp.errors import BadSetting


class Config(BaseModel):
    """Frozen settings. What somebody makes with a mistake in it is a `BadSetting`, which names them all in one line."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    if not TYPE_CHECKING:  # type checkers know the arguments by the fields

        def __init__(self, **values: Any) -> None:
            with _told_in_one_line(type(self)):
                super().__init__(**values)

        __init__.__pydantic_base_init__ = True  # else pydantic would call it for a record inside another one too

        @classmethod
        def model_validate(cls, values: Any, **options: Any) -> Any:
            with _told_in_one_line(cls):
                return super().model_validate(values, **options)


@contextmanager
def _told_in_one_line(config: type[BaseModel]) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        details = error.errors()
        raise BadSetting("; ".join(_mistake(config, detail) for detail in details), details) from None


def _mistake(config: type[BaseModel], detail: Any) -> str:
    """Where, what was expected and what came; a name that does not exist gets the nearest one that does."""
    where = ".".join(map(str, detail["loc"])) or config.__name__
    if detail["type"] == "extra_forbidden":
        near = get_close_matches(str(detail["loc"][-1]), _names(config, detail["loc"][:-1]), 1, 0.0)
        return f"{where} is no setting; did you mean {near[0]}?"
    expected = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ").removeprefix("expected ")
    return f"{where}: expected {expected}, found {detail['input']!r}"


def _names(config: Any, path: tuple[Any, ...]) -> list[str]:
    for part in path:
        config = config.model_fields[part].annotation
    return list(config.model_fields)


class BertConfig(Config):
    """`source` is a hub id or a folder; without one a small encoder with `layers` of `heads` has random weights.

    The encoder learns at `encoder_lr_scale` times the learning rate; its embeddings and lowest `freeze_layers` layers
    do not learn at all.
    """

    source: str | None = None
    layers: int = Field(2, ge=1)
    heads: int = Field(4, ge=1)
    freeze_layers: int = Field(0, ge=0)
    encoder_lr_scale: float = Field(0.1, gt=0)
    checkpointing: bool = False


class SolverConfig(Config):
    """`hidden` is the width of encoder and decoder, unless a pre-trained encoder brings its own.

    A word that the training problems hold fewer than `min_count` times is unknown to the solver.
    """

    embedding: int = Field(128, ge=1)
    hidden: int = Field(256, ge=1)
    dropout: float = Field(0.3, ge=0, lt=1)
    max_operators: int = Field(12, ge=0, le=40)
    min_count: int = Field(5, ge=1)
    bert: BertConfig = BertConfig()
