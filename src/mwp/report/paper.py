"""The paper's printed figures: answer accuracy in % of Tables 3, 4 and 5 and Figure 3, by our names of its systems."""

from collections.abc import Mapping
from dataclasses import dataclass

DATASETS = {"full": "D-Math23k", "weak": "Weak12k"}
# The size of the paper's D-Math23k: figures on other problems are no comparison.
PROBLEMS = 22_195
FULL, WEAK = ("full", 1), ("weak", 1)


@dataclass(frozen=True)
class Column:
    """Precision@k, the paper's top-k accuracy, on a dataset."""

    dataset: str
    k: int
    title: str


@dataclass(frozen=True)
class PaperRow:
    """`system` as profiles/paper.yaml names it; figures by (dataset, k), none where the paper only draws them."""

    system: str
    title: str
    printed: Mapping[tuple[str, int], float]


@dataclass(frozen=True)
class PaperTable:
    id: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    groups: Mapping[str, tuple[PaperRow, ...]]


ACCURACY = Column(*FULL, DATASETS["full"])


def _row(system: str, title: str, full: float | None = None, weak: float | None = None) -> PaperRow:
    printed = {FULL: full, WEAK: weak}
    return PaperRow(system, title, {column: value for column, value in printed.items() if value is not None})


def _tops(system: str, title: str, *values: float) -> PaperRow:
    return PaperRow(system, title, {("full", k): value for k, value in zip((1, 3, 5), values, strict=True)})


TABLE_3 = PaperTable(
    "table-3",
    "Table 3: full supervision",
    "Share of test problems whose first hypothesis gives the answer, in %, trained with ground truths.",
    (ACCURACY,),
    {
        "Plain": (
            _row("full-dns", "DNS", 50.2),
            _row("full-s-aligned", "S-Aligned", 55.4),
            _row("full-gts", "GTS", 65.7),
            _row("full-graph2tree", "Graph2Tree", 66.6),
            _row("full-mwp-bert", "MWP-BERT", 69.2),
        ),
        "Diversified": (
            _row("full-d-gts", "D-GTS", 67.1),
            _row("full-d-graph2tree", "D-Graph2Tree", 68.9),
            _row("full-d-mwp-bert", "D-MWP-BERT", 73.3),
        ),
    },
)
TABLE_4 = PaperTable(
    "table-4",
    "Table 4: semi-weak and weak supervision",
    "Share of test problems whose first hypothesis gives the answer, in %. Semi-weak: ground truths for one dataset, "
    "answers alone for the other. Weak: answers alone, each dataset for itself.",
    (ACCURACY, Column(*WEAK, DATASETS["weak"])),
    {
        "Semi-weakly supervised": (
            _row("semi-lbf-gts", "LBF", 54.1, 33.6),
            _row("semi-d-gts-wda", "D-GTS with WDA", 67.1, 57.9),
            _row("semi-d-mwp-bert-wda", "D-MWP-BERT with WDA", 73.2, 67.5),
            _row("semi-d-gts", "D-GTS without WDA", 68.4, 59.2),
            _row("semi-d-mwp-bert", "D-MWP-BERT without WDA", 74.4, 70.9),
        ),
        "Weakly supervised": (
            _row("weak-lbf-gts", "LBF", 53.1, 29.5),
            _row("weak-d-gts", "D-GTS with WDA", 55.2, 35.0),
            _row("weak-d-mwp-bert", "D-MWP-BERT with WDA", 56.0, 31.8),
        ),
    },
)
TABLE_5 = PaperTable(
    "table-5",
    "Table 5: the first 1, 3 and 5 hypotheses",
    "Right hypotheses among the first k, in % of k times all test problems; a missing one counts as wrong.",
    tuple(Column("full", k, f"Top-{k}") for k in (1, 3, 5)),
    {
        "Fully supervised": (
            _tops("full-gts", "GTS", 65.7, 38.3, 29.0),
            _tops("full-lbf-gts", "LBF", 65.2, 59.3, 51.2),
            _tops("full-d-gts", "D-GTS", 67.1, 61.0, 55.9),
        ),
        "Weakly supervised": (
            _tops("weak-lbf-gts", "LBF", 53.1, 47.1, 43.0),
            _tops("weak-d-gts", "D-GTS with WDA", 55.2, 53.9, 51.8),
        ),
    },
)
FIGURE_3 = PaperTable(
    "figure-3",
    "Figure 3: what the weights and the second stage add",
    "Share of test problems whose first hypothesis gives the answer, in %, for D-MWP-BERT as it is, with equal weights "
    "(non-probabilistic) and without the discriminator (one-stage). The paper draws the ablations and prints no "
    "figures of them.",
    (ACCURACY,),
    {
        title: (
            _row(f"{setting}-d-mwp-bert", "D-MWP-BERT", accuracy),
            _row(f"{setting}-d-mwp-bert-uniform", "non-probabilistic"),
            _row(f"{setting}-d-mwp-bert-one-stage", "one-stage"),
        )
        for setting, title, accuracy in (
            ("full", "Fully supervised", 73.3),
            ("semi", "Semi-weakly supervised", 74.4),
            ("weak", "Weakly supervised", 56.0),
        )
    },
)
TABLES = (TABLE_3, TABLE_4, TABLE_5, FIGURE_3)
KNOWN = frozenset(row.system for table in TABLES for rows in table.groups.values() for row in rows)
