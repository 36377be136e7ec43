"""Stage wda: label the weak dataset and, as if it had no equations, the full one, by every strategy; audit them."""

from mwp.data.files import read_records, write_json, write_records, write_text
from mwp.data.problems import Problem
from mwp.evaluation.search_audit import AuditRow, audit, to_csv
from mwp.pipeline.grid import AUDIT_CSV, AUDIT_JSON, DATASETS, FULL, labels_file, problems_file
from mwp.pipeline.params import WdaParams
from mwp.pipeline.progress import with_progress
from mwp.wda.labels import Label
from mwp.wda.registry import STRATEGIES, make_strategy
from mwp.wda.strategies import label_all


def run_wda(params: WdaParams, jobs: int = 0) -> list[AuditRow]:
    """Labels by every strategy for both datasets, and the audit where the equations are known."""
    problems = {dataset: read_records(problems_file(dataset), Problem) for dataset in DATASETS}
    rows = []
    for name in STRATEGIES:
        labels = {dataset: _label(some, name, params, jobs) for dataset, some in problems.items()}
        for dataset, found in labels.items():
            write_records(labels_file(dataset, name), found)
        rows += audit(problems[FULL], labels[FULL])
    write_json(AUDIT_JSON, [row.model_dump() for row in rows])
    write_text(AUDIT_CSV, to_csv(rows))
    return rows


def _label(problems: list[Problem], name: str, params: WdaParams, jobs: int) -> list[Label]:
    strategy = make_strategy(name, params.max_tries, params.max_expressions, params.max_candidates)
    return list(with_progress(label_all(problems, strategy, jobs), len(problems), f"searching, strategy {name}"))
