"""`mwp stage ...`: what the DVC stages call; each also works by hand in the project's root."""

from typing import Annotated

import typer

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
    from mwp.stages.folds import run_folds
    from mwp.stages.params import read_params

    for fold in run_folds(read_params().folds):
        sizes = f"train {len(fold.train):,}, valid {len(fold.valid):,}, test {len(fold.test):,}"
        print(f"{fold.dataset} fold {fold.index} ({fold.scheme}): {sizes}, {len(fold.vocabulary):,} words")


@app.command()
def report() -> None:
    """The tables of all stages, as Markdown and as results/summary.json."""
    from mwp.stages.params import read_params
    from mwp.stages.report import run_report

    print(f"report: {run_report(read_params().train.grid)}")


SettingOption = Annotated[str, typer.Option(help="full, semi or weak.")]
BackboneOption = Annotated[str, typer.Option(help="gts.")]
VariantOption = Annotated[str, typer.Option(help="diversified (with buffer and discriminator) or plain.")]
FoldOption = Annotated[int, typer.Option(min=0, help="Which fold is held out.")]


@app.command()
def train(
    setting: SettingOption,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Train one solver in one setting on one fold; goes on where it was stopped."""
    from mwp.stages.items import make_item
    from mwp.stages.params import read_params
    from mwp.stages.train import run_train

    print(f"model: {run_train(read_params().train, make_item(setting, backbone, variant, fold))}")


@app.command()
def evaluate(
    setting: SettingOption,
    backbone: BackboneOption = "gts",
    variant: VariantOption = "diversified",
    fold: FoldOption = 0,
) -> None:
    """Solve the test part of the fold and score it."""
    from mwp.report.scores import scores_text
    from mwp.stages.evaluate import run_evaluate
    from mwp.stages.items import make_item
    from mwp.stages.params import read_params

    for dataset, scores in run_evaluate(read_params().evaluate, make_item(setting, backbone, variant, fold)).items():
        print(f"{dataset}\n\n{scores_text(scores)}\n")
