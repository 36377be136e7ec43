"""`mwp serve` of a file where MLflow is not installed."""

import json
from pathlib import Path

from mwp.inference.solver import Solver
from mwp.inference.texts import answer_texts
from mwp.serving.local import LocalSolver
from tests.serving.servers import serving

TEXT = "一本书有120页，小明每天看15页，几天看完？"


def test_it_answers_the_same_and_has_no_protocol_of_mlflow(trained: Path) -> None:
    solver = Solver.load(trained / "models/full-d-gts/fold-0")
    with serving(trained, without=("mlflow",)) as server:
        status, answer = server.ask(text=TEXT, k=2)
        assert (status, [answer]) == (200, answer_texts(solver, [TEXT], 2, False))
        assert server.post("/invocations", b"{}") == (404, {"error": "POST /invocations: Not Found"})
        assert json.loads(server.get("/health")[1])["model"] == "models/full-d-gts/fold-0/model.pt"
        assert "<!doctype html>" in server.get("/")[1]


def test_a_text_that_is_no_problem_gets_an_error_in_its_place(trained: Path) -> None:
    served = LocalSolver("mine", Solver.load(trained / "models/full-d-gts/fold-0"))
    first, second, third = served.answers([TEXT, "hello 3", TEXT], 1, raw=False)
    assert first == third
    assert second["error"].startswith("expected a problem in Chinese")
    assert len(first["answers"]) == 1
