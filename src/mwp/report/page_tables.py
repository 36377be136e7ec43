"""The tables of the page: the paper's with ours beside them, the systems that it does not have, and what is gained."""

from collections.abc import Mapping, Sequence

from mwp.report.grids import MISSING, Body, Cell, Grid, Head, Row, folds_and_runs, mean, points, share
from mwp.report.paper import DATASETS, KNOWN, Column, PaperRow, PaperTable
from mwp.report.standings import Comparison, Standing
from mwp.report.systems import Gain

Standings = Mapping[tuple[str, str], Standing]
SETTINGS = {"full": "full", "semi": "semi-weak", "weak": "weak"}
PICKS = ("exact, equal beams merged", "exact, most plausible")
PROBLEMS = {"full": "problems with equations", "weak": "problems with answers only"}


def by_name(standings: Sequence[Standing]) -> Standings:
    return {(standing.name, standing.dataset): standing for standing in standings}


def place_title(setting: str, dataset: str) -> str:
    return f"Setting {SETTINGS[setting]}, tested on {PROBLEMS[dataset]}"


def paper_grid(table: PaperTable, standings: Standings) -> Grid:
    return Grid(
        table.id,
        table.title,
        table.caption,
        _paper_heads(table.columns),
        tuple(
            Body(title, tuple(_paper_row(row, table.columns, standings) for row in rows))
            for title, rows in table.groups.items()
        ),
    )


def _paper_heads(columns: Sequence[Column]) -> tuple[tuple[Head, ...], ...]:
    """Beams are merged, and the most plausible picked, for one first answer: columns of top-1 alone."""
    upper, lower = [], []
    for column in columns:
        names = ["paper", "ours, paper’s scorer", "ours, exact", *(PICKS if column.k == 1 else ())]
        upper.append(Head(column.title, span=len(names)))
        lower += [Head(name, start=name == "paper") for name in names]
    return (*upper, Head("folds", rows=2, start=True), Head("runs", rows=2)), tuple(lower)


def _paper_row(row: PaperRow, columns: Sequence[Column], standings: Standings) -> Row:
    cells: list[Cell] = []
    for column in columns:
        printed = row.printed.get((column.dataset, column.k))
        cells.append(
            Cell("drawn only", kind="missing paper") if printed is None else Cell(f"{printed:.1f}", kind="paper")
        )
        standing = standings.get((row.system, column.dataset))
        cells += _ours(standing, column.k) if standing else [MISSING] * (2 + len(PICKS) * (column.k == 1))
    found = [standings[row.system, dataset] for dataset in DATASETS if (row.system, dataset) in standings]
    return Row(row.title, row.system, (*cells, *folds_and_runs(found)))


def _ours(standing: Standing, k: int) -> list[Cell]:
    scores = standing.scores
    cells = [share(scores.top[scorer][k].precision) for scorer in ("paper", "exact")]
    plausible = scores.plausible["exact"].accuracy if scores.plausible else None
    return [*cells, share(scores.merged["exact"].accuracy), share(plausible)] if k == 1 else cells


def other_grids(standings: Sequence[Standing]) -> list[Grid]:
    """One table a setting and dataset for the systems that the paper does not have."""
    others = [standing for standing in standings if standing.name not in KNOWN]
    return [
        _other_grid(setting, dataset, [one for one in others if (one.setting, one.dataset) == (setting, dataset)])
        for setting, dataset in dict.fromkeys((standing.setting, standing.dataset) for standing in others)
    ]


def _other_grid(setting: str, dataset: str, standings: Sequence[Standing]) -> Grid:
    heads = ("top-1, paper’s scorer", "top-1, exact", *PICKS, "top-3", "top-5", "folds", "runs")
    return Grid(
        f"others-{setting}-{dataset}",
        place_title(setting, dataset),
        f"Right beams among the first k, in % of k times {standings[0].scores.problems:,} test problems; "
        "top-3 and top-5 by the exact scorer.",
        (tuple(map(Head, heads)),),
        (Body("", tuple(Row(one.title, one.name, _other_cells(one)) for one in standings)),),
    )


def _other_cells(standing: Standing) -> tuple[Cell, ...]:
    tops = standing.scores.top["exact"]
    return (
        *_ours(standing, 1),
        *(share(tops[k].precision) for k in (3, 5)),
        *folds_and_runs([standing]),
    )


def measures_grid(standings: Sequence[Standing]) -> Grid:
    """What the paper does not count: diversity, soundness, and what another choice of the first beam adds."""
    heads = (
        *("problems", "some beam right", "different right beams", "first beam sound"),
        *("right first beams that are spurious", "merging adds (points)", "plausibility adds (points)"),
    )
    groups = dict.fromkeys((one.setting, one.dataset) for one in standings)
    return Grid(
        "measures",
        "Diversity, soundness and choice",
        "By the exact scorer. Some beam right: % of the problems with a right one among 5. Different right beams: "
        "their mean number a problem, equal ones modulo the laws of arithmetic counted once. Sound: equal to the "
        "ground truth as a function of the numbers; spurious: right for another reason. Merging equal beams, and the "
        "most plausible of the merged ones once the numbers are put in: paired differences in top-1, bold where their "
        "interval excludes zero.",
        (tuple(map(Head, heads)),),
        tuple(
            Body(
                place_title(setting, dataset),
                tuple(
                    Row(one.title, one.name, _measures(one))
                    for one in standings
                    if (one.setting, one.dataset) == (setting, dataset)
                ),
            )
            for setting, dataset in groups
        ),
    )


def _measures(standing: Standing) -> tuple[Cell, ...]:
    scores, sound = standing.scores, standing.scores.soundness
    top = scores.top["exact"][5]
    return (
        Cell(f"{scores.problems:,}"),
        share(top.any_right),
        mean(top.distinct_right),
        share(sound.sound if sound else None),
        share(sound.spurious_first if sound else None),
        points(scores.merged["exact"].gain),
        points(scores.plausible["exact"].gain if scores.plausible else None),
    )


def gains_grid(gains: Sequence[Gain], standings: Standings) -> Grid:
    return Grid(
        "gains",
        "What diversification adds",
        "Paired differences of a system and its plain form on the same test problems, exact scorer, in percentage "
        "points of the right share of the first k beams; bold only where the 95 % interval excludes zero.",
        (tuple(map(Head, ("tested on", "folds", "top-1", "top-3", "top-5", "runs"))),),
        tuple(
            Body(
                f"Setting {SETTINGS[setting]}",
                tuple(
                    Row(
                        gain.title,
                        gain.name,
                        (
                            Cell(PROBLEMS[gain.dataset]),
                            Cell(str(len(gain.folds))),
                            *(points(gain.top[k]) for k in (1, 3, 5)),
                            _compared(gain, standings),
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


def _compared(gain: Gain, standings: Standings) -> Cell:
    """Two clicks from the page to MLflow's curves of both."""
    comparison = compared(gain, standings)
    return Cell("", links=(comparison,)) if comparison.url else Cell("not in the store", kind="missing")


def compared(gain: Gain, standings: Standings) -> Comparison:
    """The runs of the first fold side by side."""
    both = [standings[name, gain.dataset].runs[:1] for name in (gain.base, gain.name)]
    return Comparison(runs=tuple(run for runs in both for run in runs))


def comparisons(gains: Sequence[Gain], standings: Standings) -> dict[str, Comparison]:
    return {f"{gain.title}, {SETTINGS[gain.setting]}": compared(gain, standings) for gain in gains}
