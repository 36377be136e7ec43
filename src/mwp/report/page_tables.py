"""The tables of the page: the paper's with ours beside them, systems that it does not have, and gains."""

from collections.abc import Mapping, Sequence

from mwp.report.paper import DATASETS, KNOWN, Column, PaperRow, PaperTable
from mwp.report.pooled_scores import Comparison, Gain, PooledScores
from mwp.report.tables import MISSING, Cell, Grid, HeaderCell, Row, RowGroup, mean_cell, points_cell, share_cell

ScoresByName = Mapping[tuple[str, str], PooledScores]
SETTINGS = {"full": "full", "semi": "semi-weak", "weak": "weak"}
PICKS = ("exact, merged", "exact, verified")
PROBLEMS = {"full": "problems with equations", "weak": "problems with answers only"}


def folds_and_runs(pooled_scores: Sequence[PooledScores]) -> tuple[Cell, Cell]:
    """The same for every dataset that a system was tested on."""
    if not pooled_scores:
        return Cell("0", kind="missing"), Cell("none", kind="missing")
    folds, runs = pooled_scores[0].folds, pooled_scores[0].runs
    return Cell(str(len(folds))), Cell("" if runs else "not in the store", links=runs)


def by_name(pooled_scores: Sequence[PooledScores]) -> ScoresByName:
    return {(pooled.name, pooled.dataset): pooled for pooled in pooled_scores}


def setting_title(setting: str, dataset: str) -> str:
    return f"Setting {SETTINGS[setting]}, tested on {PROBLEMS[dataset]}"


def paper_grid(table: PaperTable, pooled_scores: ScoresByName) -> Grid:
    return Grid(
        table.id,
        table.title,
        table.caption,
        _paper_heads(table.columns),
        tuple(
            RowGroup(title, tuple(_paper_row(row, table.columns, pooled_scores) for row in rows))
            for title, rows in table.groups.items()
        ),
    )


def _paper_heads(columns: Sequence[Column]) -> tuple[tuple[HeaderCell, ...], ...]:
    """Merging and verifying change which hypothesis comes first: columns of top-1 alone."""
    upper, lower = [], []
    for column in columns:
        names = ["paper", "ours, paper’s scorer", "ours, exact", *(PICKS if column.k == 1 else ())]
        upper.append(HeaderCell(column.title, span=len(names)))
        lower += [HeaderCell(name, start=name == "paper") for name in names]
    return (*upper, HeaderCell("folds", rows=2, start=True), HeaderCell("runs", rows=2)), tuple(lower)


def _paper_row(row: PaperRow, columns: Sequence[Column], pooled_scores: ScoresByName) -> Row:
    cells: list[Cell] = []
    for column in columns:
        printed = row.printed.get((column.dataset, column.k))
        cells.append(
            Cell("drawn only", kind="missing paper") if printed is None else Cell(f"{printed:.1f}", kind="paper")
        )
        pooled = pooled_scores.get((row.system, column.dataset))
        cells += _ours(pooled, column.k) if pooled else [MISSING] * (2 + len(PICKS) * (column.k == 1))
    found = [pooled_scores[row.system, dataset] for dataset in DATASETS if (row.system, dataset) in pooled_scores]
    return Row(row.title, row.system, (*cells, *folds_and_runs(found)))


def _ours(pooled: PooledScores, k: int) -> list[Cell]:
    scores = pooled.scores
    cells = [share_cell(scores.top[scorer][k].precision) for scorer in ("paper", "exact")]
    verified = scores.verified["exact"].accuracy if scores.verified else None
    return [*cells, share_cell(scores.merged["exact"].accuracy), share_cell(verified)] if k == 1 else cells


def other_grids(pooled_scores: Sequence[PooledScores]) -> list[Grid]:
    """One table a setting and dataset for the systems that the paper does not have."""
    others = [pooled for pooled in pooled_scores if pooled.name not in KNOWN]
    return [
        _other_grid(setting, dataset, [one for one in others if (one.setting, one.dataset) == (setting, dataset)])
        for setting, dataset in dict.fromkeys((pooled.setting, pooled.dataset) for pooled in others)
    ]


def _other_grid(setting: str, dataset: str, pooled_scores: Sequence[PooledScores]) -> Grid:
    heads = ("top-1, paper’s scorer", "top-1, exact", *PICKS, "top-3", "top-5", "folds", "runs")
    return Grid(
        f"others-{setting}-{dataset}",
        setting_title(setting, dataset),
        f"Right hypotheses among the first k, in % of k times {pooled_scores[0].scores.problems:,} test problems; "
        "top-3 and top-5 by the exact scorer.",
        (tuple(map(HeaderCell, heads)),),
        (RowGroup("", tuple(Row(one.title, one.name, _other_cells(one)) for one in pooled_scores)),),
    )


def _other_cells(pooled: PooledScores) -> tuple[Cell, ...]:
    tops = pooled.scores.top["exact"]
    return (
        *_ours(pooled, 1),
        *(share_cell(tops[k].precision) for k in (3, 5)),
        *folds_and_runs([pooled]),
    )


def measures_grid(pooled_scores: Sequence[PooledScores]) -> Grid:
    """Measures beyond the paper's: diversity, soundness, and what another choice of the first hypothesis adds."""
    heads = (
        *("problems", "pass@5", "distinct@5", "top-1 sound"),
        *("spurious among right top-1", "merging adds (points)", "verifier adds (points)"),
    )
    groups = dict.fromkeys((one.setting, one.dataset) for one in pooled_scores)
    return Grid(
        "measures",
        "Diversity, soundness and the verifier",
        "By the exact scorer. pass@5: % of the problems with a right hypothesis among the first 5. distinct@5: the "
        "mean number of right ones a problem, equal ones modulo the laws of arithmetic counted once. Sound: equal to "
        "the ground truth as a function of the numbers; spurious: right for another reason. Merging counts equal "
        "hypotheses as one; the verifier picks one of the merged ones once the numbers are put in. Both are paired "
        "differences in top-1, bold where their interval excludes zero.",
        (tuple(map(HeaderCell, heads)),),
        tuple(
            RowGroup(
                setting_title(setting, dataset),
                tuple(
                    Row(one.title, one.name, _measures(one))
                    for one in pooled_scores
                    if (one.setting, one.dataset) == (setting, dataset)
                ),
            )
            for setting, dataset in groups
        ),
    )


def _measures(pooled: PooledScores) -> tuple[Cell, ...]:
    scores, sound = pooled.scores, pooled.scores.soundness
    top = scores.top["exact"][5]
    return (
        Cell(f"{scores.problems:,}"),
        share_cell(top.pass_at_k),
        mean_cell(top.distinct_at_k),
        share_cell(sound.sound if sound else None),
        share_cell(sound.spurious_first if sound else None),
        points_cell(scores.merged["exact"].gain),
        points_cell(scores.verified["exact"].gain if scores.verified else None),
    )


def gains_grid(gains: Sequence[Gain], pooled_scores: ScoresByName) -> Grid:
    return Grid(
        "gains",
        "What diversification adds",
        "Paired differences of a system and its plain form on the same test problems, exact scorer, in percentage "
        "points of precision@k; bold only where the 95 % interval excludes zero.",
        (tuple(map(HeaderCell, ("tested on", "folds", "top-1", "top-3", "top-5", "runs"))),),
        tuple(
            RowGroup(
                f"Setting {SETTINGS[setting]}",
                tuple(
                    Row(
                        gain.title,
                        gain.name,
                        (
                            Cell(PROBLEMS[gain.dataset]),
                            Cell(str(len(gain.folds))),
                            *(points_cell(gain.top[k]) for k in (1, 3, 5)),
                            _compared(gain, pooled_scores),
                        ),
                    )
                    for gain in gains
                    if gain.setting == setting
                ),
            )
            for setting in dict.fromkeys(gain.setting for gain in gains)
        ),
        corner="systems",
    )


def _compared(gain: Gain, pooled_scores: ScoresByName) -> Cell:
    """Two clicks from the page to MLflow's curves of both."""
    comparison = compared(gain, pooled_scores)
    return Cell("", links=(comparison,)) if comparison.url else Cell("not in the store", kind="missing")


def compared(gain: Gain, pooled_scores: ScoresByName) -> Comparison:
    """The runs of the first fold side by side."""
    both = [pooled_scores[name, gain.dataset].runs[:1] for name in (gain.base, gain.name)]
    return Comparison(runs=tuple(run for runs in both for run in runs))


def comparisons(gains: Sequence[Gain], pooled_scores: ScoresByName) -> dict[str, Comparison]:
    return {f"{gain.title}, {SETTINGS[gain.setting]}": compared(gain, pooled_scores) for gain in gains}
