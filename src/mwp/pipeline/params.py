"""params.yaml as typed, frozen records; every mistake in it is reported at once."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from mwp import upgrades
from mwp.data.files import read_text
from mwp.data.folds import Scheme
from mwp.errors import BadInput, BadSetting, Mistakes
from mwp.solvers.config import Config, SolverConfig
from mwp.training.config import (
    Backbone,
    DiversityConfig,
    LbfConfig,
    OptimizerConfig,
    SeedConfig,
    Setting,
    TrainConfig,
    Variant,
)

PARAMS_FILE = Path("params.yaml")
# The groups of a training that a backbone or a system may change.
GROUPS = ("solver", "optimizer", "diversity", "lbf")
# A system's name is a folder, part of a stage's name and command, a key that DVC splits at dots, and a model in MLflow.
SYSTEM_NAME = re.compile(r"\w[\w-]{0,63}")


def _system_name(name: str) -> str:
    if not SYSTEM_NAME.fullmatch(name):
        raise ValueError("expected a system's name of up to 64 letters, digits, _ and -, the first of them no -")
    return name


SystemName = Annotated[str, AfterValidator(_system_name)]


AnyConfig = TypeVar("AnyConfig", bound=Config)


def _complete(config: AnyConfig) -> AnyConfig:
    """A default would hide what params.yaml forgot to say, and DVC would not see it change."""
    groups = {name for name, field in type(config).model_fields.items() if hasattr(field.annotation, "model_fields")}
    if missing := [name for name in type(config).model_fields if name not in config.model_fields_set | groups]:
        raise PydanticCustomError("incomplete", "{names}", {"names": " ".join(missing)})
    return config


Complete = AfterValidator(_complete)


class Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class DataParams(Group):
    """The raw files: `full` has equations, `weak` only answers."""

    full: Path
    weak: Path


class WdaParams(Group):
    """`max_candidates` a problem; `max_tries` of each strategy of Algorithm 1, `max_expressions` of the ranked one."""

    max_candidates: int = Field(5, ge=1)
    max_tries: int = Field(50_000, ge=1)
    max_expressions: int = Field(1_000_000, ge=1)


class FoldsParams(Group):
    scheme: Scheme
    count: int = Field(ge=2)
    valid: float = Field(ge=0)
    seed: int


class Changes(Group):
    """Values that take the place of the common ones."""

    solver: dict[str, Any] = {}
    optimizer: dict[str, Any] = {}
    diversity: dict[str, Any] = {}
    lbf: dict[str, Any] = {}


class System(Changes):
    """A row of a table: a backbone trained in a setting, with or without diversification, and changed values."""

    setting: Setting
    backbone: Backbone = "gts"
    variant: Variant = "diversified"
    title: str | None = None
    seeding: dict[str, Any] = {}


class TrainParams(Group):
    """`systems` on `folds` is what `dvc repro` trains. A backbone's changes come before a system's own."""

    seed: int
    folds: tuple[int, ...]
    systems: dict[SystemName, System]
    seeding: dict[Setting, Annotated[SeedConfig, Complete]]
    backbones: dict[Backbone, Changes]
    solver: Annotated[SolverConfig, Complete]
    optimizer: Annotated[OptimizerConfig, Complete]
    diversity: Annotated[DiversityConfig, Complete]
    lbf: Annotated[LbfConfig, Complete]

    def config(self, system: System) -> TrainConfig:
        common = self.model_dump(include=set(GROUPS))
        changed = [self.backbones.get(system.backbone, Changes()), system]
        groups = {
            name: reduce(merged, (getattr(changes, name) for changes in changed), common[name]) for name in GROUPS
        }
        return TrainConfig(seed=self.seed, backbone=system.backbone, variant=system.variant, **groups)

    def seed_config(self, system: System) -> SeedConfig:
        """A plain solver learns from one solution a problem; LBF searches by itself, unless told otherwise."""
        if system.setting not in self.seeding:
            raise BadInput(
                f"params.yaml has no train.seeding.{system.setting}; add it with strategy and max_candidates"
            )
        common = self.seeding[system.setting].model_dump() | ({"strategy": "none"} if system.variant == "lbf" else {})
        seeding = common | system.seeding | ({"max_candidates": 1} if system.variant == "plain" else {})
        return SeedConfig.model_validate(seeding)

    @model_validator(mode="after")
    def _every_system_is_valid(self) -> Self:
        found = [mistake for name, system in self.systems.items() for mistake in self._mistakes(name, system)]
        if mistakes := list(dict.fromkeys(found)):  # a backbone's are those of all its systems
            raise PydanticCustomError("systems", "{text}", {"text": "; ".join(mistakes), "mistakes": mistakes})
        return self

    def _mistakes(self, name: str, system: System) -> Iterator[str]:
        """Of what a system changes, where it stands in the file."""
        for check, group in ((self.config, ()), (self.seed_config, ("seeding",))):
            try:
                check(system)
            except BadSetting as error:
                for detail in error.errors():
                    position = (*group, *detail["loc"])
                    owner = ("systems", name) if _stands_in(system, position) else ("backbones", str(system.backbone))
                    yield _explain({**detail, "loc": ("train", *owner, *position)})


def _stands_in(changes: Changes, position: tuple[int | str, ...]) -> bool:
    """Whether a system, or a backbone, names this value itself."""
    found: Any = changes.model_dump()
    for part in position:
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return True


def merged(values: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested groups are changed value by value."""
    return values | {
        key: merged(values[key], value) if isinstance(value, Mapping) and isinstance(values.get(key), dict) else value
        for key, value in changes.items()
    }


class EvaluateParams(Group):
    """Top-5 is reported: with fewer than five hypotheses the missing ones would count as wrong."""

    beam_size: int = Field(ge=5)
    batch_size: int = Field(ge=1)


class Params(Group):
    data: DataParams
    wda: WdaParams
    folds: FoldsParams
    train: TrainParams
    evaluate: EvaluateParams


def read_params(path: Path = PARAMS_FILE) -> Params:
    return parse_params(read_text(path), str(path))


def parse_params(text: str, where: str) -> Params:
    """`where` names the text in errors, which are one line a mistake."""
    content = parse_yaml(text, where)
    mistakes: list[str] = []
    if isinstance(content, Mapping) and (old := upgrades.old_names(content)):
        mistakes = [f"{where}: {was} is now {now}" for was, now in old]
        content = upgrades.upgraded(content)
    try:
        params = Params.model_validate(content)
    except ValidationError as error:
        for detail in error.errors():
            found = detail["ctx"]["mistakes"] if detail["type"] == "systems" else [_explain(detail)]
            mistakes += [f"{where}: {mistake}" for mistake in found]
    if mistakes:
        raise Mistakes(mistakes)
    return params


def parse_yaml(text: str, where: str) -> Any:
    """As DVC reads it, by YAML 1.2: `no` is a text and 1e-5 a number."""
    from ruamel.yaml import YAML  # which `mwp solve` does not need
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError) as error:
        raise not_yaml(where, error) from error


def not_yaml(where: str, error: Exception) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    line = f", line {mark.line + 1}" if mark else ""
    return BadInput(f"{where}{line}: not YAML: {str(getattr(error, 'problem', None) or error).splitlines()[0]}")


def _explain(detail: Any) -> str:
    """One mistake: where, what came, what was expected; a misspelt key gets the nearest known one."""
    # For a wrong key pydantic gives the location "key.[key]"; the value that was found says which key it is.
    position = detail["loc"][:-2] if detail["loc"][-1:] == ("[key]",) else detail["loc"]
    where = ".".join(map(str, position)) or "the file"
    if detail["type"] == "extra_forbidden":
        near = get_close_matches(str(detail["loc"][-1]), _known_keys(detail["loc"][:-1]), 1, 0.0)
        return f"{where} is no parameter; did you mean {near[0]}?"
    if detail["type"] == "missing":
        return f"{where} is missing"
    if detail["type"] == "incomplete":
        return "; ".join(f"{where}.{name} is missing" for name in detail["msg"].split())
    found = "" if isinstance(detail["input"], Mapping) else f", found {detail['input']!r}"
    said = detail["msg"].removeprefix("Value error, ")
    return f"{where}: {said[0].lower()}{said[1:]}{found}"


def _known_keys(group: tuple[Any, ...]) -> list[str]:
    model: Any = Params
    if group[:1] == ("train",) and group[1:2] in (("systems",), ("backbones",)) and len(group) > 3:
        # What a system or a backbone changes is a value of the common group of that name, or of its setting's seeding.
        group = ("train", "seeding", ...) if group[3] == "seeding" else ("train", *group[3:])
    for part in group:
        model = model.model_fields[part].annotation if hasattr(model, "model_fields") else get_args(model)[1]
    return list(model.model_fields)
