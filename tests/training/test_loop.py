"""The loop: same bytes twice, same bytes after a stop anywhere, and what each switch does."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate.state import AcceleratorState

from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.errors import BadInput
from mwp.inference.solver import Solver
from mwp.inference.verifier import Verifier
from mwp.solvers.decoding import solve_all
from mwp.training.buffer import write_buffer
from mwp.training.checkpoint import load, save
from mwp.training.learner import learning_rate_at, make_accelerator
from mwp.training.progress import Callback
from tests.training.toys import small_config, small_run


@pytest.fixture
def problems(sample_problems: list[Problem]) -> list[Problem]:
    return sample_problems[:100]


def outputs(run: Any, folder: Path) -> tuple[bytes, bytes, list[dict[str, float]]]:
    Solver.from_training(run, {"fingerprint": "x"}).save(folder / "model.pt")
    write_buffer(folder / "buffer.gz", run.buffer)
    return (folder / "model.pt").read_bytes(), (folder / "buffer.gz").read_bytes(), run.state.history


class Stopper(Callback):
    """Breaks off at the n-th event, as a kill would; or asks politely, as Ctrl-C does."""

    def __init__(self, at: int, polite: bool = False) -> None:
        self.left = at
        self.polite = polite

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            if not self.polite:
                raise RuntimeError("killed")
            os.kill(os.getpid(), signal.SIGINT)

    def step_done(self, problems: int) -> None:
        self.count()

    def epoch_done(self, epoch: int, metrics: Any) -> None:
        self.count()

    def buffer_updated(self, epoch: int, buffer: Any) -> None:
        self.count()


def test_the_same_params_give_the_same_bytes(problems: list[Problem], tmp_path: Path) -> None:
    results = []
    for name in ("a", "b"):
        run = small_run(problems, tmp_path / name)
        run.train()
        results.append(outputs(run, tmp_path / name))
    assert results[0] == results[1]


@pytest.mark.parametrize("at", [1, 3, 6, 7, 8, 12, 20])
def test_a_run_broken_off_anywhere_ends_in_the_same_bytes(problems: list[Problem], tmp_path: Path, at: int) -> None:
    whole = small_run(problems, tmp_path / "whole")
    whole.train()
    broken = small_run(problems, tmp_path / "broken", callback=Stopper(at))
    with pytest.raises(RuntimeError, match="killed"):
        broken.train()
    again = small_run(problems, tmp_path / "broken")
    again.resume()
    again.train()
    assert outputs(again, tmp_path / "broken") == outputs(whole, tmp_path / "whole")


@pytest.mark.parametrize("at", [2, 9])
def test_an_interrupt_saves_in_the_middle_of_an_epoch_and_goes_on_from_there(
    problems: list[Problem], tmp_path: Path, at: int
) -> None:
    whole = small_run(problems, tmp_path / "whole")
    whole.train()
    stopped = small_run(problems, tmp_path / "stopped", callback=Stopper(at, polite=True))
    with pytest.raises(KeyboardInterrupt):
        stopped.train()
    again = small_run(problems, tmp_path / "stopped")
    assert again.resume()
    assert (again.state.epoch, again.state.step) != (0, 0)
    again.train()
    assert outputs(again, tmp_path / "stopped") == outputs(whole, tmp_path / "whole")


def test_the_loss_falls_and_the_buffer_grows_with_right_solutions_only(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(epochs=20, hidden=24, update_every=4))
    run.train()
    losses = [epoch["loss"] for epoch in run.state.history]
    assert losses[-1] < losses[0] / 2
    assert run.buffer.size > len(run.corpus.train)
    assert run.state.history[-1]["buffer_purity"] > 0.5


def test_the_plain_variant_keeps_its_buffer_and_has_no_discriminator(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(variant="plain"))
    run.train()
    assert run.buffer.size == len(run.corpus.train)
    assert run.learner.discriminator is None
    assert "discriminator_auc" not in run.state.history[-1]


def test_a_full_buffer_is_not_searched_for(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(max_solutions=1))
    run.train()
    assert set(run.buffer.sizes.values()) == {1}
    assert run.buffer.refusals["the buffer is full"] == 0


def test_the_slice_is_measured_as_a_test_would_be(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(variant="plain", epochs=25, hidden=32, dropout=0))
    run.corpus = replace(run.corpus, valid=run.corpus.train[:40])  # of which it does get some right
    run.train()
    right = [
        [gives_answer(solution, run.corpus.problems[key]) for solution, _ in beams]
        for key in run.corpus.valid
        for _, beams in solve_all(run.learner.solver, [key], run.encoded, 5, 1)
    ]
    last = run.state.history[-1]
    assert last["valid_accuracy"] == sum(beams[0] for beams in right) / len(right)
    assert last["valid_top_5"] == pytest.approx(sum(sum(beams) for beams in right) / (5 * len(right)))
    assert last["valid_accuracy"] > 0


def test_uniform_weights_are_equal_in_every_buffer(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(weighting="uniform"))
    run.train()
    assert all(len(set(weights)) <= 1 for weights in run.state.weights.values())
    assert run.learner.discriminator is None


def test_one_stage_has_no_discriminator_and_weights_that_add_up_to_one(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(stages=1))
    run.train()
    assert run.learner.discriminator is None
    assert all(sum(weights) == pytest.approx(1) for weights in run.state.weights.values())


def test_every_solution_has_a_life_from_its_arrival_to_the_last_weighing(
    problems: list[Problem], tmp_path: Path
) -> None:
    run = small_run(problems, tmp_path)
    run.train()
    for key in run.corpus.train:
        for entry, weight in zip(run.buffer.entries(key), run.state.weights[key], strict=True):
            starts = [0] if entry.source == "gold" else []
            assert [weighing.epoch for weighing in entry.weights] == [*starts, *range(max(entry.epoch, 1), 4)]
            assert entry.weights[-1].a == round(weight, 4)
            assert [weighing.t is None for weighing in entry.weights] == [
                weighing.epoch < 2 for weighing in entry.weights
            ]
            assert all(weighing.a == weighing.s for weighing in entry.weights if weighing.epoch == 1)


@pytest.mark.parametrize("changes", [{"weighting": "uniform"}, {"variant": "lbf", "rounds": 3}])
def test_solutions_that_weigh_alike_have_neither_s_nor_t(
    problems: list[Problem], tmp_path: Path, changes: dict[str, Any]
) -> None:
    run = small_run(problems[:50], tmp_path, small_config(epochs=2, **changes))
    run.train()
    lives = [entry.weights for key in run.corpus.train for entry in run.buffer.entries(key)]
    assert all(weights and all((one.s, one.t) == (None, None) for one in weights) for weights in lives)


def test_patience_ends_a_run_that_no_longer_gets_better(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path, small_config(epochs=30, learning_rate=1e-9, patience=2))
    run.train()
    assert len(run.state.history) == 3


@pytest.mark.parametrize("variant", ["plain", "diversified", "lbf"])
def test_without_a_slice_the_last_epoch_is_kept_and_no_accuracy_is_claimed(
    problems: list[Problem], tmp_path: Path, variant: str
) -> None:
    run = small_run(problems, tmp_path, small_config(variant=variant, epochs=3, patience=1))
    run.corpus = replace(run.corpus, valid=())
    run.train()
    assert [name for epoch in run.state.history for name in epoch if name.startswith("valid")] == []
    assert (len(run.state.history), run.state.best_epoch) == (3, 2)
    last = {name: value.clone() for name, value in run.learner.solver.state_dict().items()}
    Solver.from_training(run).save(tmp_path / "model.pt")
    model = Solver.load(tmp_path / "model.pt")
    assert model.verifier == Verifier.start()
    assert all(torch.equal(value, last[name]) for name, value in model.network.state_dict().items())


def test_without_a_slice_a_run_broken_off_ends_in_the_same_bytes(problems: list[Problem], tmp_path: Path) -> None:
    def made(name: str, callback: Callback | None = None) -> Any:
        run = small_run(problems, tmp_path / name, callback=callback)
        run.corpus = replace(run.corpus, valid=())
        return run

    whole, broken, again = made("whole"), made("broken", Stopper(14)), made("broken")
    whole.train()
    with pytest.raises(RuntimeError, match="killed"):
        broken.train()
    assert again.resume()
    again.train()
    assert outputs(again, tmp_path / "broken") == outputs(whole, tmp_path / "whole")


def test_a_saved_model_solves_as_the_run_did(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path)
    run.train()
    Solver.from_training(run, {"fingerprint": "x"}).save(tmp_path / "model.pt")
    model = Solver.load(tmp_path / "model.pt")
    assert run.state.best is not None
    assert all(torch.equal(value, run.state.best[name]) for name, value in model.network.state_dict().items())
    assert model.network.encoder.vocabulary == run.corpus.vocabulary
    assert model.discriminator is not None
    assert model.verifier is not None


def test_a_model_of_another_version_is_one_clear_line(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems, tmp_path)
    run.train()
    Solver.from_training(run, {"fingerprint": "x"}).save(tmp_path / "model.pt")
    content = load(tmp_path / "model.pt")
    save(tmp_path / "older.pt", {name: value for name, value in content.items() if name != "verifier"})
    assert Solver.load(tmp_path / "older.pt").verifier is None
    for changed, where in (({"verifier": {"colour": 1.0}}, "the features of the verifier"), ({"config": {}}, "seed")):
        save(tmp_path / "other.pt", {**content, **changed})
        with pytest.raises(
            BadInput, match=rf"other\.pt was trained by another version of mwp, which differs in {where}"
        ):
            Solver.load(tmp_path / "other.pt")


def test_a_truncated_checkpoint_is_one_clear_line(tmp_path: Path) -> None:
    save(tmp_path / "state.pt", {"a": torch.ones(1000)})
    whole = (tmp_path / "state.pt").read_bytes()
    (tmp_path / "state.pt").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match=r"state\.pt is no whole checkpoint \(truncated or another file\); train again"):
        load(tmp_path / "state.pt")


def test_a_checkpoint_of_another_version_is_one_clear_line(tmp_path: Path) -> None:
    torch.save({"version": 99}, tmp_path / "state.pt")
    with pytest.raises(
        BadInput, match="expected a checkpoint of format 3, found 99: a newer mwp wrote it; upgrade mwp"
    ):
        load(tmp_path / "state.pt")


def test_the_rate_warms_up_and_then_halves_or_falls_to_zero() -> None:
    cosine = small_config(warmup_steps=10, learning_rate=1.0).optimizer
    assert learning_rate_at(cosine, 0, 100) == pytest.approx(0.1)
    assert learning_rate_at(cosine, 99, 100) < 0.001
    halving = small_config(schedule="halving", warmup_steps=0, learning_rate=1.0, epochs=4, halve_every=2).optimizer
    assert [learning_rate_at(halving, step, 8) for step in range(8)] == [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5]


def test_mixed_precision_trains_on_the_cpu_too(problems: list[Problem], tmp_path: Path) -> None:
    AcceleratorState._reset_state(reset_partial_state=True)  # it holds one precision for the life of a process
    run = small_run(problems, tmp_path, small_config(precision="bf16", epochs=2))
    with torch.backends.mkldnn.flags(enabled=False):  # its bf16 kernels need a CPU that has such instructions
        run.train()
    AcceleratorState._reset_state(reset_partial_state=True)
    assert run.state.history[1]["loss"] < run.state.history[0]["loss"]


def test_trainings_of_one_process_may_differ_in_precision() -> None:
    assert [make_accelerator(amp).mixed_precision for amp in ("no", "bf16", "no")] == ["no", "bf16", "no"]


def test_lbf_starts_with_nothing_and_finds_solutions_by_fixing(problems: list[Problem], tmp_path: Path) -> None:
    run = small_run(problems[:50], tmp_path, small_config(variant="lbf", epochs=3, rounds=15), setting="weak")
    assert run.buffer.size == 0
    run.train()
    entries = [entry for key in run.corpus.train for entry in run.buffer.entries(key)]
    assert len(entries) > len(run.corpus.train) / 5
    assert {entry.source for entry in entries} == {"lbf"}
    assert all(
        gives_answer(entry.solution, run.corpus.problems[key])
        for key in run.corpus.train
        for entry in run.buffer.entries(key)
    )
    assert all(len(set(weights)) <= 1 for weights in run.state.weights.values())


def test_lbf_broken_off_ends_in_the_same_bytes(problems: list[Problem], tmp_path: Path) -> None:
    problems, config = problems[:50], small_config(variant="lbf", epochs=2, rounds=3)
    whole = small_run(problems, tmp_path / "whole", config, setting="weak")
    whole.train()
    broken = small_run(problems, tmp_path / "broken", config, setting="weak", callback=Stopper(3))
    with pytest.raises(RuntimeError, match="killed"):
        broken.train()
    again = small_run(problems, tmp_path / "broken", config, setting="weak")
    again.resume()
    again.train()
    assert outputs(again, tmp_path / "broken") == outputs(whole, tmp_path / "whole")
