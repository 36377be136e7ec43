"""README and docs: every link, command, option, parameter, profile and file that they name exists."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from pydantic import BaseModel

from mwp.cli.app import app
from mwp.pipeline.params import Params

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Its examples name files that a reader is to write, and a test of its own runs them.
EXAMPLES = {"extending.md"}
MAX_LINE = 120
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A group of params.yaml, which stands below `train` where no stage has its name.
DOTTED = re.compile(r"(?:train|wda|folds|data|evaluate|solver|optimizer|diversity|lbf|seeding)(?:\.[a-z_]+)+")
SETTING = re.compile(r"([a-z_]+): [\w.|\s]+")
FILE = re.compile(r"[\w./-]*\w\.(?:py|yaml|toml|j2|html|txt)")

documents = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def prose_and_code(text: str) -> tuple[list[str], list[str]]:
    """Lines outside fences, and those inside."""
    parts = re.split(r"^```.*$", text, flags=re.MULTILINE)
    return [line for part in parts[::2] for line in part.splitlines()], [
        line for part in parts[1::2] for line in part.splitlines()
    ]


def spans(document: Path) -> list[str]:
    """What stands in backticks, also over the end of a line."""
    prose, _ = prose_and_code(document.read_text(encoding="utf8"))
    return [" ".join(span.split()).replace(r"\|", "|") for span in re.findall(r"`([^`]+)`", "\n".join(prose))]


def commands(document: Path) -> Iterator[list[str]]:
    """The arguments of every call of mwp."""
    _, code = prose_and_code(document.read_text(encoding="utf8"))
    for text in (*spans(document), *code):
        for call in re.findall(r"(?:^|[$&|] |=\w+ |python )mwp ([^&#]*)", text):
            yield call.split(" | ")[0].split()


def command(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words lead to, and the rest of them."""
    found: Any = typer.main.get_command(app)
    while words and hasattr(found, "commands") and not words[0].startswith("-"):
        assert words[0] in found.commands, f"no command {words[0]}"
        found, words = found.commands[words[0]], words[1:]
    return found, words


def options(found: Any) -> set[str]:
    return {name for param in found.params for name in param.opts} | {"--help"}


def all_options(found: Any) -> set[str]:
    below = getattr(found, "commands", {}).values()
    return options(found).union(*(all_options(each) for each in below))


def anchors(document: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def fields(kind: Any) -> dict[str, Any]:
    """The names below a parameter, None for names that a user chooses."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {name: field.annotation for name, field in kind.model_fields.items()}
    return next((fields(one) for one in get_args(kind) if fields(one)), {})


def is_parameter(path: list[str], kind: Any = Params) -> bool:
    if not path:
        return True
    below = fields(kind)
    return path[0] in below and is_parameter(path[1:], below[path[0]])


def all_fields(kind: Any = Params) -> set[str]:
    below = fields(kind)
    return set(below).union(*(all_fields(each) for each in below.values()))


@documents
def test_links_lead_somewhere(document: Path) -> None:
    prose, _ = prose_and_code(document.read_text(encoding="utf8"))
    for target in LINK.findall("\n".join(prose)):
        if not re.match(r"https?:", target):
            name, _, anchor = target.partition("#")
            file = document.parent / name if name else document
            assert file.exists(), target
            assert not anchor or anchor in anchors(file), target


@documents
def test_commands_and_their_options_exist(document: Path) -> None:
    for words in commands(document):
        for alternative in words[1].split("|") if len(words) > 1 else [""]:
            chosen = [words[0], *[alternative] * bool(alternative), *words[2:]]
            found, rest = command(chosen)
            named = {word for each in rest if re.match(r"\[?-", each) for word in [each.strip("[]").split("=")[0]]}
            assert named - {"-"} <= options(found), f"mwp {' '.join(words)}"


@documents
def test_options_that_stand_alone_exist(document: Path) -> None:
    known = all_options(typer.main.get_command(app))
    assert {span.split()[0] for span in spans(document) if re.match("--?[a-z]", span)} <= known


@documents
def test_parameters_exist(document: Path) -> None:
    for span in spans(document):
        if dotted := DOTTED.match(span):
            if not FILE.fullmatch(span.split()[0]):
                path = dotted[0].split(".")
                assert is_parameter(path) or is_parameter(["train", *path]), span
        elif setting := SETTING.fullmatch(span):
            assert setting[1] in all_fields(), span


@documents
def test_profiles_and_modules_that_are_run_exist(document: Path) -> None:
    text = document.read_text(encoding="utf8")
    for name in re.findall(r"(?:--profile |PROFILE=)(\w+)", text):
        assert (ROOT / f"profiles/{name}.yaml").exists(), name
    for module in re.findall(r"python\s-m\s([\w.]+)|`(benchmarks\.\w+)`", text):
        assert find_spec("".join(module)), module


@documents
def test_files_exist(document: Path) -> None:
    if document.name not in EXAMPLES:
        made = {"results/report.html", "examples.jsonl"}
        for span in spans(document):
            if FILE.fullmatch(span) and span not in made and "*" not in span:
                assert any((folder / span).exists() for folder in (ROOT, ROOT / "src/mwp")), span


@documents
def test_no_line_of_prose_is_long(document: Path) -> None:
    prose, _ = prose_and_code(document.read_text(encoding="utf8"))
    if document.name not in EXAMPLES:
        long = [line for line in prose if len(line) > MAX_LINE and not line.startswith(("|", "!["))]
        assert long == []


def test_the_glossary_is_alphabetical_and_linked_from_the_readme() -> None:
    terms = re.findall(r"^\*\*(.+?)\.\*\*", (ROOT / "docs/glossary.md").read_text(encoding="utf8"), re.MULTILINE)
    keys = [re.sub(r"[^a-z0-9 ]", "", term.lower()) for term in terms]
    assert keys == sorted(keys)
    assert "(docs/glossary.md)" in (ROOT / "README.md").read_text(encoding="utf8")
