"""A folder as a user of the library has it: a trained solver and a table of problems, small and learned in seconds."""

import csv
from pathlib import Path
from random import Random
from typing import Any

import mwp

SMALL: dict[str, Any] = {
    "solver": {"embedding": 16, "hidden": 32, "dropout": 0.0, "min_count": 1, "max_operators": 4},
    "optimizer": {"epochs": 12, "batch_size": 16, "learning_rate": 0.01, "warmup_steps": 2, "precision": "fp32"},
    "diversity": {"update_every": 4, "discriminator_hidden": 8},
}
SHORT: dict[str, Any] = {**SMALL, "optimizer": {**SMALL["optimizer"], "epochs": 2}}
KINDS = [
    ("一本书有{a}页，小明每天看{b}页，几天看完？", "{a}/{b}"),
    ("小明有{a}个苹果，吃了{b}个，还剩几个？", "{a}-{b}"),
    ("{a}行树，每行{b}棵，一共有几棵？", "{a}*{b}"),
]


def records(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Of three kinds in turn; no number stands twice in a text."""
    random, found = Random(seed), []
    for number in range(count):
        text, equation = KINDS[number % len(KINDS)]
        b = random.randint(3, 12)
        a = b * random.randint(2, 9) + (0 if number % len(KINDS) == 0 else 1)
        numbers = {"a": a, "b": b}
        value = {0: a // b, 1: a - b, 2: a * b}[number % len(KINDS)]
        found.append(
            {
                "id": f"p{number}",
                "text": text.format(**numbers),
                "equation": equation.format(**numbers),
                "answer": value,
            }
        )
    return found


def make_user_folder(folder: Path) -> Path:
    with (folder / "mine.csv").open("w", encoding="utf8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["question", "result"])
        table.writerows([record["text"], record["answer"]] for record in records(24, seed=2))
        table.writerow(["有3个苹果", "many"])
    mwp.train(records(90), config=SMALL, folder=folder / "models/full-d-gts/fold-0")
    return folder
