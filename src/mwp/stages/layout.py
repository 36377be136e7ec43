"""Where the stages leave their files, relative to the project's root."""

from pathlib import Path

CLEAN = Path("data/clean")
WDA = Path("data/wda")
LABELS = WDA / "labels"
FOLDS = Path("data/folds")
RESULTS = Path("results")

# The two datasets of a study: one with equations, one with answers only.
FULL, WEAK = "full", "weak"
DATASETS = (FULL, WEAK)


def problems_file(dataset: str) -> Path:
    return CLEAN / f"{dataset}.jsonl"


def drops_file(dataset: str) -> Path:
    return CLEAN / f"{dataset}-drops.jsonl"


def labels_file(dataset: str, order: str) -> Path:
    return LABELS / order / f"{dataset}.jsonl"


def folds_file(dataset: str) -> Path:
    return FOLDS / f"{dataset}.jsonl"


def run_folder(root: Path, system: str, fold: int) -> Path:
    return root / system / f"fold-{fold}"


MODEL_FILE, BUFFER_FILE, HISTORY_FILE, RUN_FILE = "model.pt", "buffer.jsonl.gz", "history.json", "run.json"
SCORES_FILE, ORIGIN_FILE = "scores.json", "origin.json"
MODELS = Path("models")
PREDICTIONS = Path("predictions")
SCRATCH = Path(".scratch")
CLEAN_SUMMARY = CLEAN / "summary.json"
AUDIT_JSON = WDA / "audit.json"
AUDIT_CSV = WDA / "audit.csv"
SUMMARY = RESULTS / "summary.json"
REPORT = RESULTS / "report.md"
PAGE = RESULTS / "report.html"
CURVES = RESULTS / "curves.csv"
# Runs that are kept in git, and the document that is made of them.
KEPT = RESULTS / "real"
KEPT_DOCUMENT = Path("docs/results.md")
