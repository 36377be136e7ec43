"""`mwp stage`, `mwp repro`, `mwp results` and `mwp ui`: the pipeline by hand and by DVC, its results, its runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mwp.errors import BadInput
from mwp.solvers.registry import BACKBONES

if TYPE_CHECKING:
    from mwp.pipeline.grid import RunSpec

results = typer.Typer(help="Results of runs as files small enough for git.", no_args_is_help=True)
app = typer.Typer(help="Run one stage of the pipeline on the inputs that params.yaml names.", no_args_is_help=True)
Jobs = Annotated[int, typer.Option(min=0, help="Processes; 0 takes one a core.")]
SystemOption = Annotated[str | None, typer.Option(help="A system of params.yaml, instead of the next three options.")]
SettingOption = Annotated[str | None, typer.Option(help="full, semi or weak.")]
BackboneOption = Annotated[
    str, typer.Option(help=f"{', '.join(BACKBONES)}, or one that an installed package adds (docs/extending.md).")
]
VariantOption = Annotated[str, typer.Option(help="diversified (with buffer and discriminator), plain or lbf.")]
FoldOption = Annotated[int, typer.Option(min=0, help="Which fold is held out.")]


@app.command()
def plan() -> None:
    """What each stage and run depends on, as small files in runs/: the values that it uses, the code that it runs."""
    from mwp.pipeline.params import read_params
    from mwp.pipeline.plan import PLANS, write_plan

    print(f"{len(write_plan(read_params()))} files in {PLANS}/")


@app.command()
def clean() -> None:
    """Raw files to problem records: D-Math23k by rule, each dropped id with its reason."""
    from mwp.pipeline.clean import run_clean
    from mwp.pipeline.params import read_params

    for dataset, counts in run_clean(read_params().data).items():
        print(f"{dataset}: {counts['kept']:,} kept of {counts['total']:,}; dropped: {counts['dropped'] or 'none'}")


@app.command()
def wda(jobs: Jobs = 0) -> None:
    """Search solutions for both datasets from their answers alone, and audit the strategies."""
    from mwp.pipeline.params import read_params
    from mwp.pipeline.wda import run_wda
    from mwp.report.terminal import audit_table

    print(audit_table(run_wda(read_params().wda, jobs)))


@app.command()
def folds() -> None:
    """Cross-validation folds, each with a validation split and the words of its training part."""
    from mwp.pipeline.folds import empty_validation_splits, run_folds
    from mwp.pipeline.params import read_params

    params = read_params().folds
    made = run_folds(params)
    for fold in made:
        sizes = f"train {len(fold.train):,}, valid {len(fold.valid):,}, test {len(fold.test):,}"
        print(f"{fold.dataset} fold {fold.index} ({fold.scheme}): {sizes}, {len(fold.vocabulary):,} words")
    for line in empty_validation_splits(made, params.valid):
        print(line, file=sys.stderr)


@app.command()
def report() -> None:
    """Tables and charts of all stages, as Markdown, as a page and as results/summary.json."""
    from mwp.pipeline.params import read_params
    from mwp.pipeline.report import run_report

    tables, page = run_report(read_params())
    print(f"report: {tables}; page: {page}")


@app.command()
def train(
    system: SystemOption = None,
    setting: SettingOption = None,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Train one system on one fold; resumes where it was stopped."""
    from mwp.pipeline.train import run_train

    print(f"model: {run_train(_run_spec(system, setting, backbone, variant, fold))}")


@app.command()
def evaluate(
    system: SystemOption = None,
    setting: SettingOption = None,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Solve the test part of the fold and score it."""
    from mwp.pipeline.evaluate import run_evaluate
    from mwp.pipeline.params import read_params
    from mwp.report.terminal import scores_text

    spec = _run_spec(system, setting, backbone, variant, fold)
    for dataset, scores in run_evaluate(read_params().evaluate, spec).items():
        print(f"{dataset}\n\n{scores_text(scores)}\n")


def _run_spec(system: str | None, setting: str | None, backbone: str, variant: str, fold: int) -> RunSpec:
    from mwp.pipeline.grid import make_run_spec, named_run_spec
    from mwp.pipeline.params import read_params

    params = read_params().train
    if system is not None:
        return named_run_spec(params, system, fold)
    if setting is None:
        raise BadInput("say which system to take: --system NAME, or --setting full, semi or weak")
    return make_run_spec(params, setting, backbone, variant, fold)


def repro(
    profile: Annotated[
        str | None, typer.Option(help="A file of profiles/: put its values into params.yaml first.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Trainings side by side; they share the cores out.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list what would be trained, with an estimate of its cost.")
    ] = False,
) -> None:
    """Run the whole pipeline, as far as its inputs have changed."""
    from mwp.cli.groups import need

    need("dvc")
    from mwp.pipeline.runner import run_dry, run_repro

    if dry_run:
        print(run_dry(profile, jobs))
        return
    raise typer.Exit(run_repro(profile, jobs))


@results.command("export")
def export(
    into: Annotated[Path, typer.Option(help="The folder; each run has its own in it.")] = Path("results/real"),
) -> None:
    """Save scores, curves, buffer summaries and predictions of the runs of params.yaml, without the problems' texts."""
    from mwp.pipeline.export import export_runs
    from mwp.pipeline.params import read_params

    saved, missing = export_runs(read_params(), into)
    print(f"{len(saved)} run{'s' * (len(saved) != 1)} saved in {into}")
    if missing:
        print(f"not trained yet: {', '.join(f'{spec.name} fold {spec.fold}' for spec in missing)}")


def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to serve on.")] = 5000,
    host: Annotated[str, typer.Option(help="The address to serve on; by default only this machine can see it.")] = (
        "127.0.0.1"
    ),
) -> None:
    """Look at the runs in MLflow's page; Ctrl-C ends it."""
    from mwp.cli.groups import need
    from mwp.tracking.store import Store
    from mwp.tracking.ui import serve_ui

    need("mlflow")
    serve_ui(Store.of_project(), host, port)


def why_stale(
    stage: Annotated[str | None, typer.Argument(help="One stage, such as train or train@full-gts-0; else all.")] = None,
) -> None:
    """Name the value, function or file that changed for each stage that would run again."""
    from mwp.pipeline.params import read_params
    from mwp.pipeline.why_stale import why_stale as find

    found = find(read_params(), stage)
    if not found:
        print("nothing is stale")
    for name, changes in found.items():
        print(f"{name}:", *changes, sep="\n  ")
