"""`mwp stage ...`: what the DVC stages call; each also works by hand in the project's root."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mwp.errors import BadInput

if TYPE_CHECKING:
    from mwp.stages.items import Item

app = typer.Typer(help="Run one stage of the pipeline on the inputs that params.yaml names.", no_args_is_help=True)

Jobs = Annotated[int, typer.Option(min=0, help="Processes; 0 takes one a core.")]


@app.command()
def clean() -> None:
    """Raw files to problem records: D-Math23k by rule, each dropped id with its reason."""
    from mwp.stages.clean import run_clean
    from mwp.stages.params import read_params

    for dataset, counts in run_clean(read_params().data).items():
        print(f"{dataset}: {counts['kept']:,} kept of {counts['total']:,}; dropped: {counts['dropped'] or 'none'}")


@app.command()
def wda(jobs: Jobs = 0) -> None:
    """Search solutions for both datasets from their answers alone, and audit the orders."""
    from mwp.report.tables import audit_table
    from mwp.stages.params import read_params
    from mwp.stages.wda import run_wda

    print(audit_table(run_wda(read_params().wda, jobs)))


@app.command()
def folds() -> None:
    """Cross-validation folds with an inner slice for model selection and the training words."""
    from mwp.stages.folds import empty_slices, run_folds
    from mwp.stages.params import read_params

    params = read_params().folds
    made = run_folds(params)
    for fold in made:
        sizes = f"train {len(fold.train):,}, valid {len(fold.valid):,}, test {len(fold.test):,}"
        print(f"{fold.dataset} fold {fold.index} ({fold.scheme}): {sizes}, {len(fold.vocabulary):,} words")
    for line in empty_slices(made, params.valid):
        print(line, file=sys.stderr)


@app.command()
def report() -> None:
    """The tables of all stages, as Markdown, as a page and as results/summary.json."""
    from mwp.stages.params import read_params
    from mwp.stages.report import run_report

    tables, page = run_report(read_params())
    print(f"report: {tables}; page: {page}")


SystemOption = Annotated[str | None, typer.Option(help="A system of params.yaml, instead of the next three.")]
SettingOption = Annotated[str | None, typer.Option(help="full, semi or weak.")]
BackboneOption = Annotated[str, typer.Option(help="dns, s-aligned, gts, graph2tree or mwp-bert.")]
VariantOption = Annotated[str, typer.Option(help="diversified (with buffer and discriminator), plain or lbf.")]
FoldOption = Annotated[int, typer.Option(min=0, help="Which fold is held out.")]


@app.command()
def train(
    system: SystemOption = None,
    setting: SettingOption = None,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Train one system on one fold; goes on where it was stopped."""
    from mwp.stages.train import run_train

    print(f"model: {run_train(_item(system, setting, backbone, variant, fold))}")


@app.command()
def evaluate(
    system: SystemOption = None,
    setting: SettingOption = None,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Solve the test part of the fold and score it."""
    from mwp.report.scores import scores_text
    from mwp.stages.evaluate import run_evaluate
    from mwp.stages.params import read_params

    item = _item(system, setting, backbone, variant, fold)
    for dataset, scores in run_evaluate(read_params().evaluate, item).items():
        print(f"{dataset}\n\n{scores_text(scores)}\n")


def _item(system: str | None, setting: str | None, backbone: str, variant: str, fold: int) -> Item:
    from mwp.stages.items import make_item, named_item
    from mwp.stages.params import read_params

    params = read_params().train
    if system is not None:
        return named_item(params, system, fold)
    if setting is None:
        raise BadInput("say which system to take: --system NAME, or --setting full, semi or weak")
    return make_item(params, setting, backbone, variant, fold)
