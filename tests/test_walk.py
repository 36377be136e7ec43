"""How many files a reader opens: few enough to hold in mind, and held to it."""

import pytest

from benchmarks.walk import WALKS, Walked, walk_all


@pytest.fixture(scope="module")
def walked() -> dict[str, Walked]:
    return walk_all()


@pytest.mark.parametrize(("name", "limit"), [("step", 14), ("weight", 8), ("solve", 34), ("python", 29)])
def test_a_walk_opens_few_files(walked: dict[str, Walked], name: str, limit: int) -> None:
    files = walked[name].files
    assert WALKS[name].limit == limit
    assert len(files) <= limit, files


def test_the_walks_really_go_where_they_say(walked: dict[str, Walked]) -> None:
    assert {"training/trainer.py", "training/learner.py", "training/discriminator.py"} <= {*walked["step"].files}
    passed = ("buffer_updates", "buffer", "weights", "discriminator", "learner")
    assert {f"training/{name}.py" for name in passed} <= {*walked["weight"].files}
    assert {"cli/app.py", "cli/solve.py", "report/terminal.py"} <= {*walked["solve"].files}
    assert {"api.py", "inference/solver.py", "inference/answers.py"} <= {*walked["python"].files}


def test_only_the_network_itself_is_left_out_and_only_of_the_weight(walked: dict[str, Walked]) -> None:
    assert [name for name, one in walked.items() if one.left_out] == ["weight"]
    assert {file.split("/")[0] for file in walked["weight"].left_out} == {"solvers", "data", "arith"}
