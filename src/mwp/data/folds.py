"""Cross-validation folds: the training part, the validation split and the test part, and the words of the training."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal, get_args

from mwp.data.cleaning import twin_groups
from mwp.data.problems import Problem, Record
from mwp.errors import BadInput

Scheme = Literal["paper", "shuffled", "twin-safe"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
# Problems that must stay on one side of every split.
Group = list[Problem]


class Fold(Record):
    """Ids in file order; `vocabulary` counts the tokens of `train` alone."""

    dataset: str
    scheme: Scheme
    seed: int
    index: int
    train: tuple[str, ...]
    valid: tuple[str, ...]
    test: tuple[str, ...]
    vocabulary: dict[str, int]


def make_folds(
    problems: Sequence[Problem], dataset: str, scheme: Scheme, count: int, valid: float, seed: int
) -> list[Fold]:
    """Every problem is tested in exactly one fold.

    `paper`: contiguous in file order; `shuffled`: the same after a shuffle; `twin-safe`: shuffled, twins in one fold.
    `valid` is the size of the validation split, taken from the training part: a fraction if below 1, else a count.
    """
    _check(problems, dataset, scheme, count, valid)
    parts = _split(problems, dataset, scheme, count, seed)
    folds = []
    for index, test in enumerate(parts):
        rest = [group for part in parts if part is not test for group in part]
        valid_groups = _validation_split(rest, _valid_size(rest, valid), Random(f"{seed}/{index}"))
        train = _without(problems, valid_groups + test)
        if not train:
            raise BadInput(
                f"{dataset}: nothing left to train on in fold {index}; lower valid ({valid}) or add problems"
            )
        fold = Fold(
            dataset=dataset,
            scheme=scheme,
            seed=seed,
            index=index,
            train=tuple(problem.id for problem in train),
            valid=_in_file_order(problems, valid_groups),
            test=_in_file_order(problems, test),
            vocabulary=_count_tokens(train),
        )
        folds.append(fold)
    return folds


def hold_out(problems: Sequence[Problem], dataset: str, valid: float, seed: int) -> Fold:
    """All problems for training, but for the fraction `valid` on which a model is selected; none to test."""
    groups = [[problem] for problem in problems]
    held_out = _validation_split(groups, _valid_size(groups, valid), Random(f"{seed}/{dataset}"))
    train = _without(problems, held_out)
    return Fold(
        dataset=dataset,
        scheme="shuffled",
        seed=seed,
        index=0,
        train=tuple(problem.id for problem in train),
        valid=_in_file_order(problems, held_out),
        test=(),
        vocabulary=_count_tokens(train),
    )


def _check(problems: Sequence[Problem], dataset: str, scheme: str, count: int, valid: float) -> None:
    if scheme not in SCHEMES:
        raise BadInput(f"{dataset}: expected a scheme of {', '.join(SCHEMES)}, found {scheme!r}")
    if count < 2:
        raise BadInput(f"{dataset}: expected 2 or more folds, found {count}")
    if len(problems) < count:
        raise BadInput(f"{dataset}: expected {count} or more problems for {count} folds, found {len(problems)}")
    if valid < 0 or (valid >= 1 and valid != int(valid)):
        raise BadInput(f"{dataset}: expected valid as a fraction below 1 or a whole count, found {valid}")
    repeated = [name for name, times in Counter(problem.id for problem in problems).items() if times > 1]
    if repeated:
        raise BadInput(f"{dataset}: expected every id once, found {repeated[0]!r} again ({len(repeated)} such ids)")


def _split(problems: Sequence[Problem], dataset: str, scheme: Scheme, count: int, seed: int) -> list[list[Group]]:
    groups = twin_groups(problems) if scheme == "twin-safe" else [[problem] for problem in problems]
    if len(groups) < count:
        raise BadInput(f"{dataset}: expected {count} or more groups of twins for {count} folds, found {len(groups)}")
    if scheme != "paper":
        Random(seed).shuffle(groups)
    return _balanced(groups, count) if scheme == "twin-safe" else _contiguous(groups, count)


def _contiguous(groups: list[Group], count: int) -> list[list[Group]]:
    """Folds of int(n / count) groups, the rest in the last."""
    size = len(groups) // count
    return [groups[index * size : (index + 1) * size if index < count - 1 else None] for index in range(count)]


def _balanced(groups: list[Group], count: int) -> list[list[Group]]:
    """The largest groups first, each to the fold with the fewest problems."""
    parts: list[list[Group]] = [[] for _ in range(count)]
    sizes = [0] * count
    for group in sorted(groups, key=len, reverse=True):
        smallest = sizes.index(min(sizes))
        parts[smallest].append(group)
        sizes[smallest] += len(group)
    return parts


def _validation_split(groups: list[Group], size: int, random: Random) -> list[Group]:
    """Whole groups at random, as many problems as fit into `size`."""
    chosen: list[Group] = []
    for group in random.sample(groups, len(groups)):
        if len(group) <= size:
            chosen.append(group)
            size -= len(group)
    return chosen


def _valid_size(groups: list[Group], valid: float) -> int:
    return int(valid * sum(map(len, groups))) if valid < 1 else int(valid)


def _ids(groups: Iterable[Group]) -> set[str]:
    return {problem.id for group in groups for problem in group}


def _without(problems: Sequence[Problem], groups: Iterable[Group]) -> list[Problem]:
    held_out = _ids(groups)
    return [problem for problem in problems if problem.id not in held_out]


def _in_file_order(problems: Sequence[Problem], groups: Iterable[Group]) -> tuple[str, ...]:
    ids = _ids(groups)
    return tuple(problem.id for problem in problems if problem.id in ids)


def _count_tokens(problems: Iterable[Problem]) -> dict[str, int]:
    counts = Counter(token for problem in problems for token in problem.tokens)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
