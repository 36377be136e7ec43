"""Twins: problems that are equal up to their numbers. One in training gives away the other in the test."""

import re
from collections.abc import Iterable

from mwp.data.problems import NUMBER_TOKEN, Problem

_PUNCTUATION = re.compile(r"[\W_]+")


def twin_key(problem: Problem) -> str:
    """The text with every numeral as NUM and no punctuation, so that a closing `？` or `．` tells no twins apart."""
    key, end = "", 0
    for number in problem.numbers:
        key += _PUNCTUATION.sub("", problem.text[end : number.start]) + f" {NUMBER_TOKEN} "
        end = number.end
    return key + _PUNCTUATION.sub("", problem.text[end:])


def same_key(problem: Problem) -> tuple[object, ...]:
    """What a problem has in common with itself in another dataset: its words and its numbers."""
    return twin_key(problem), *(number.value for number in problem.numbers)


def twin_groups(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Every problem with its twins, in file order; most groups hold one problem."""
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(twin_key(problem), []).append(problem)
    return list(groups.values())
