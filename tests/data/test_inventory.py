import json

import pytest

from mwp.data.cleaning import Cleaning, Inventory, answer_kind, take_inventory
from mwp.data.problems import Drop

from .toys import toy


@pytest.mark.parametrize(
    ("spelling", "kind"),
    [
        ("20", "integer"),
        ("-410.0", "integer"),
        ("80千米/小时", "integer"),
        ("0.5", "decimal"),
        ("(1/6)", "fraction"),
        ("8((1)/(3))", "fraction"),
        ("150%", "percent"),
        ("９３％", "percent"),
        ("160/(1-20%)", "expression"),
        ("1/2", "expression"),
    ],
)
def test_the_kind_of_an_answer_is_how_it_is_written(spelling: str, kind: str) -> None:
    value = "20" if kind == "integer" else "1/2"
    assert answer_kind(toy("有2个", value).model_copy(update={"answer_spelling": spelling})) == kind


def test_an_inventory_counts_everything() -> None:
    problems = [
        toy("2米种一棵树，种了11棵", "20", "(11-1)*2"),
        toy("5只鸡和5只鸭", "11", "5+5"),
        toy("有2个和3个，共几个", "0.5"),
    ]
    drops = [Drop(id=str(i), reason=reason) for i, reason in enumerate(["no text", "duplicate id", "duplicate id"])]
    assert take_inventory(problems, drops) == Inventory(
        problems=3,
        with_equation=2,
        without_equation=1,
        numbers={2: 3},
        operators={1: 1, 2: 1},
        answers={"integer": 2, "decimal": 1, "fraction": 0, "percent": 0, "expression": 0},
        duplicated_numbers=1,
        wrong_equations=1,
        dropped=3,
        drops={"duplicate id": 2, "no text": 1},
    )


def test_an_inventory_of_nothing_is_zero_and_json() -> None:
    content = json.loads(take_inventory([]).model_dump_json())
    assert (content["problems"], content["numbers"], content["dropped"]) == (0, {}, 0)


def test_the_inventory_of_d_math23k(d_math23k: Cleaning) -> None:
    """A bracketed fraction of an equation is one number only if the text has it, else it counts as a division."""
    inventory = take_inventory(d_math23k.kept)
    first, more = split(inventory.numbers)
    assert (first, more) == ({1: 497, 2: 8_116, 3: 10_426, 4: 2_469, 5: 530}, 175)
    first, more = split(inventory.operators)
    assert (first, more) == ({0: 64, 1: 4_430, 2: 11_217, 3: 4_288, 4: 1_351, 5: 541}, 322)
    assert inventory.duplicated_numbers == 148
    assert inventory.wrong_equations == 2
    assert inventory.answers["fraction"] + inventory.answers["percent"] == 2_522
    assert inventory.with_equation == inventory.problems == 22_213


def split(histogram: dict[int, int]) -> tuple[dict[int, int], int]:
    """The classes up to 5, and how many lie above."""
    first = {value: count for value, count in histogram.items() if value <= 5}
    return first, sum(histogram.values()) - sum(first.values())
