"""The real loop with the encoders of Graph2Tree and MWP-BERT: it learns, and ends in the same bytes after a stop."""

from pathlib import Path
from typing import Any

import pytest
import torch

from mwp.data.problems import Problem
from mwp.inference.solver import Solver
from mwp.training.config import TrainConfig
from tests.training.test_loop import Stopper, outputs
from tests.training.toys import small_config, small_run

Options = dict[str, Any]

every_encoder = pytest.mark.parametrize(
    ("backbone", "bert"),
    [
        ("graph2tree", {}),
        ("mwp-bert", {"layers": 1}),
        ("mwp-bert", {"layers": 2, "freeze_layers": 1}),
        ("mwp-bert", {"layers": 1, "freeze_layers": 1}),
    ],
    ids=["graph2tree", "bert", "half frozen", "all frozen"],
)


@pytest.fixture
def problems(sample_problems: list[Problem]) -> list[Problem]:
    return sample_problems[:60]


def config_of(backbone: str, bert: Options, epochs: int) -> TrainConfig:
    config = small_config(backbone=backbone, epochs=epochs, update_every=2)
    content = config.model_dump()
    content["solver"]["bert"] |= {"heads": 2, "encoder_lr_scale": 0.5, **bert}
    return TrainConfig.model_validate(content)


@every_encoder
def test_the_loss_falls(problems: list[Problem], tmp_path: Path, backbone: str, bert: Options) -> None:
    run = small_run(problems, tmp_path, config_of(backbone, bert, epochs=8))
    run.train()
    losses = [epoch["loss"] for epoch in run.state.history]
    assert losses[-1] < 0.7 * losses[0]


@every_encoder
@pytest.mark.parametrize("at", [2, 6])
def test_a_run_stopped_in_the_middle_of_an_epoch_ends_in_the_same_bytes(
    problems: list[Problem], tmp_path: Path, backbone: str, bert: Options, at: int
) -> None:
    config = config_of(backbone, bert, epochs=3)
    whole = small_run(problems, tmp_path / "whole", config)
    whole.train()
    stopped = small_run(problems, tmp_path / "stopped", config, callback=Stopper(at, polite=True))
    with pytest.raises(KeyboardInterrupt):
        stopped.train()
    again = small_run(problems, tmp_path / "stopped", config)
    assert again.resume()
    again.train()
    assert outputs(again, tmp_path / "stopped") == outputs(whole, tmp_path / "whole")


@every_encoder
def test_a_saved_model_reads_problems_as_the_run_did(
    problems: list[Problem], tmp_path: Path, backbone: str, bert: Options
) -> None:
    run = small_run(problems, tmp_path, config_of(backbone, bert, epochs=1))
    run.train()
    Solver.from_training(run, {"fingerprint": "x"}).save(tmp_path / "model.pt")
    encoders = Solver.load(tmp_path / "model.pt").network.encoder, run.learner.solver.eval().encoder
    with torch.no_grad():
        states = [encoder(encoder.collate([encoder.prepare(problems[0])])).states for encoder in encoders]
    assert torch.equal(*states)
