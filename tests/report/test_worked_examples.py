"""Problems of one's own beside their right answers, and what trainings cost."""

from pathlib import Path

import pytest

from mwp.data.readers import read_question
from mwp.errors import BadInput
from mwp.inference.answers import solved_problem
from mwp.inference.predictions import make_hypothesis, merge
from mwp.report.results_document import Solved, read_worked_examples, worked_examples_table
from mwp.report.saved_runs import Costs, EpochCost, GridCost, epochs_table, grid_table

EXAMPLES = Path(__file__).parents[2] / "data/examples"


def solved(line: int, *solutions: str) -> str:
    """What `mwp solve --json` prints for a problem with the numbers 12 and 5, given its equations, best first."""
    problem = read_question("小明有12支铅笔，用掉了5支，还剩多少支？")
    hypotheses = [make_hypothesis(tokens.split(), -1.0 - rank, problem) for rank, tokens in enumerate(solutions)]
    return Solved(line=line, **dict(solved_problem(problem, merge(hypotheses)))).model_dump_json()


def test_the_first_equation_and_the_rank_of_the_right_one_are_shown(tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_text("7\n5/12\n3\n", encoding="utf8")
    lines = [solved(1, "- N0 N1", "+ N0 N1"), solved(2, "- N0 N1", "/ N1 N0"), solved(3, "+ N0 N1")]
    (tmp_path / "examples.jsonl").write_text("\n".join(lines) + "\n", encoding="utf8")
    examples = read_worked_examples(tmp_path / "answers.txt", tmp_path / "examples.jsonl")
    assert [one.rank for one in examples] == [1, 2, None]
    rows = worked_examples_table(examples).splitlines()[2:]
    assert ["12-5" in row for row in rows] == [True, True, False]
    assert [row.split("|")[-2].strip() for row in rows] == ["yes", "no, but answer 2 is", "no"]


def test_answers_and_problems_must_be_as_many(tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_text("7\n8\n", encoding="utf8")
    (tmp_path / "examples.jsonl").write_text(solved(1, "- N0 N1") + "\n", encoding="utf8")
    with pytest.raises(BadInput, match=r"has 2 answers, .*examples\.jsonl 1 problems; solve all of them"):
        read_worked_examples(tmp_path / "answers.txt", tmp_path / "examples.jsonl")


def test_every_problem_of_ours_can_be_read_and_has_an_answer() -> None:
    problems = (EXAMPLES / "problems.txt").read_text(encoding="utf8").splitlines()
    assert all(read_question(text).numbers for text in problems)
    assert len(problems) == len((EXAMPLES / "answers.txt").read_text(encoding="utf8").split()) == 20


def test_costs_of_the_kinds_add_up_and_epochs_compare_with_the_first() -> None:
    epochs = (EpochCost(problems=100, solutions=1, seconds=2), EpochCost(problems=300, solutions=1, seconds=5))
    one = GridCost(kind="gts, plain", trainings=5, epochs=200, updates=0, step=2e8, search=1e8, hours=1.5)
    grid = (one, one.model_copy(update={"kind": "mwp-bert, plain", "hours": 2.25}))
    costs = Costs(by_problems=epochs, by_solutions=epochs, tflops=19.5, used=0.05, grid=grid)
    assert costs.hours == 3.75
    assert [row.split("|")[-2].strip() for row in epochs_table(epochs).splitlines()[2:]] == ["1.00", "2.50"]
    assert [row.split("|")[-2].strip() for row in grid_table(costs.grid).splitlines()[2:]] == ["1.5", "2.2"]
