"""docs/api.md from the docstrings of what a user of the library calls: python -m tools.api_docs"""

import inspect
import re
import textwrap
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import mwp
from mwp.data.sources import Problems
from mwp.errors import BadInput
from mwp.evaluation.scores import Scores
from mwp.solvers.config import Config
from mwp.training.config import TrainConfig
from mwp.training.progress import Callback

TARGET = Path(__file__).parents[1] / "docs/api.md"
HEAD = """# The library

`import mwp` takes no time and needs no params.yaml, DVC, MLflow or git. Whatever cannot be is a `mwp.errors.BadInput`
with one line that names the argument, what was expected and what came. This page is made from the docstrings by
`make api-docs`; its examples run in the tests.

```python
import mwp

solver = mwp.load("models/full-d-gts/fold-0")
for answer in solver.solve("果园里有梨树56棵，苹果树比梨树的2倍少9棵，苹果树有多少棵？", k=5):
    print(answer.equation, answer.value, answer.probability)
problems = mwp.read_problems("mine.csv", text="question", answer="result")
labels = mwp.search(problems)
trained = mwp.train(problems, labels=labels, setting="weak")
print(mwp.evaluate(trained, problems))
```
"""
FUNCTIONS = (mwp.load, mwp.read_problems, mwp.search, mwp.train, mwp.evaluate)
METHODS = (mwp.Solver.solve, mwp.Solver.save, mwp.Problem.from_text)
RECORDS = (mwp.Solver, mwp.Answer, mwp.Problem, Problems, Scores, Callback, BadInput)
SECTION = re.compile(r"^(Parameters|Returns|Examples|Attributes)\n-+\n", re.MULTILINE)


def page() -> str:
    parts = [HEAD, "## Functions\n", *map(called, FUNCTIONS), "## Methods\n", *map(called, METHODS)]
    parts += ["## What they give and take\n", *map(record, RECORDS), "## Settings\n", *settings(TrainConfig)]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def called(function: Any) -> str:
    name = f"{'mwp.' if '.' not in function.__qualname__ else ''}{function.__qualname__}"
    return f"### {name}\n\n```python\n{name}{signature(function)}\n```\n\n{described(function)}"


def signature(function: Any) -> str:
    """Names and defaults: the types are told with the parameters."""
    shown: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        default = parameter.default
        spelled = f"{type(default).__name__}()" if isinstance(default, Config) else repr(default)
        shown.append(parameter.name if default is parameter.empty else f"{parameter.name}={spelled}")
    line = f"({', '.join(shown)})"
    return line if len(line) <= 90 else "(\n    " + ",\n    ".join(shown) + ",\n)"


def described(documented: Any) -> str:
    """A docstring in numpy's sections as Markdown."""
    first, *sections = SECTION.split(inspect.cleandoc(documented.__doc__))
    parts = [first.strip()]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        shown = f"```python\n{body.strip()}\n```" if title == "Examples" else listed(body)
        parts.append(shown if title == "Examples" else f"{title}:\n\n{shown}")
    return "\n\n".join(parts) + "\n"


def listed(body: str) -> str:
    """`name : type` with an indented explanation, a bullet each."""
    lines = []
    for line in body.strip().splitlines():
        name, colon, kind = line.partition(" : ")
        if line.startswith(" "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(f"- **{name}** ({kind})" if colon else f"- {line}")
    return "\n".join(lines)


def record(kind: Any) -> str:
    """What a class is, and the fields or methods that it adds."""
    fields = getattr(kind, "model_fields", {})
    names = list(fields) or [name for name, value in vars(kind).items() if name[0] != "_" and callable(value)]
    module = "" if kind in (mwp.Solver, mwp.Answer, mwp.Problem) else f"\n\nIn `{kind.__module__}`."
    has = f"{'Fields' if fields else 'Methods'}: {', '.join(f'`{name}`' for name in names)}." if names else ""
    has = has and "\n\n" + textwrap.fill(has, 120, break_on_hyphens=False)
    return f"### {kind.__name__}\n\n{described(kind).strip()}{module}{has}\n"


def settings(config: type[Config], path: str = "") -> list[str]:
    """A table for each group, outer ones first."""
    rows, inner = [], []
    for name, field in config.model_fields.items():
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, Config):
            inner += settings(kind, f"{path}{name}.")
        else:
            rows.append(f"| `{path}{name}` | `{field.default}` | {values(kind, field.metadata)} |")
    text = described(config).strip()
    return [
        f"### {config.__name__}\n\n{text}\n\n| setting | default | values |\n| --- | --- | --- |\n" + "\n".join(rows),
        *inner,
    ]


def values(kind: Any, limits: list[Any]) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    signs = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    found = [
        f"{word} {getattr(limit, sign)}" for limit in limits for sign, word in signs.items() if hasattr(limit, sign)
    ]
    return ", ".join(found)


def main() -> None:
    TARGET.write_text(page(), encoding="utf8")
    print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
