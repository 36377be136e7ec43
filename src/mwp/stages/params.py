"""params.yaml as typed, frozen records; every mistake in it is reported at once."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mwp.data.files import read_text
from mwp.data.folds import Scheme
from mwp.errors import BadInput
from mwp.search.orders import OrderName
from mwp.training.config import Backbone, Setting, SettingConfig, TrainConfig, Variant

PARAMS_FILE = Path("params.yaml")


class Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DataParams(Group):
    """The raw files: `full` has equations, `weak` only answers."""

    full: Path
    weak: Path


class WdaParams(Group):
    """`keep` candidates a problem; `tries` for each order of Algorithm 1, `budget` tries for the ranked one."""

    order: OrderName = "ranked"
    keep: int = Field(5, ge=1)
    tries: int = Field(50_000, ge=1)
    budget: int = Field(1_000_000, ge=1)


class FoldsParams(Group):
    scheme: Scheme
    count: int = Field(ge=2)
    valid: float = Field(ge=0)
    seed: int


class Grid(Group):
    """What `dvc repro` trains: every combination."""

    settings: tuple[Setting, ...]
    backbones: tuple[Backbone, ...]
    variants: tuple[Variant, ...]
    folds: tuple[int, ...]


class TrainParams(TrainConfig):
    grid: Grid
    settings: dict[Setting, SettingConfig]


class EvaluateParams(Group):
    beam: int = Field(ge=1)
    batch: int = Field(ge=1)


class Params(Group):
    data: DataParams
    wda: WdaParams
    folds: FoldsParams
    train: TrainParams
    evaluate: EvaluateParams


def read_params(path: Path = PARAMS_FILE) -> Params:
    try:
        content = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f", line {where.line + 1}" if where else ""
        raise BadInput(f"{path}{line}: not YAML: {getattr(error, 'problem', error)}") from error
    try:
        return Params.model_validate(content)
    except ValidationError as error:
        raise BadInput(f"{path}: " + "; ".join(_explain(detail) for detail in error.errors())) from error


def _explain(detail: Any) -> str:
    """One mistake: where, what came, what was expected; a misspelt key gets the nearest known one."""
    where = ".".join(str(part) for part in detail["loc"]) or "the file"
    if detail["type"] == "extra_forbidden":
        near = get_close_matches(str(detail["loc"][-1]), _known_keys(detail["loc"][:-1]), 1, 0.0)
        return f"{where} is no parameter; did you mean {near[0]}?"
    if detail["type"] == "missing":
        return f"{where} is missing"
    return f"{where}: {detail['msg'][0].lower()}{detail['msg'][1:]}, found {detail['input']!r}"


def _known_keys(group: tuple[Any, ...]) -> list[str]:
    model: Any = Params
    for part in group:
        model = model.model_fields[part].annotation if hasattr(model, "model_fields") else get_args(model)[1]
    return list(model.model_fields)
