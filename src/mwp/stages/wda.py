"""Stage wda: label the weak dataset and, as if it had no equations, the full one, by every order; audit them."""

from mwp.data.files import read_records, write_json, write_records, write_text
from mwp.data.problems import Problem
from mwp.evaluation.audit import AuditRow, audit, to_csv
from mwp.search.fanout import label_all
from mwp.search.labels import ORDER_NAMES, Label, OrderName
from mwp.search.orders import make_order
from mwp.stages.layout import AUDIT_CSV, AUDIT_JSON, DATASETS, FULL, labels_file, problems_file
from mwp.stages.params import WdaParams
from mwp.stages.progress import follow


def run_wda(params: WdaParams, jobs: int = 0) -> list[AuditRow]:
    """Labels by every order for both datasets, and the audit where the equations are known."""
    problems = {dataset: read_records(problems_file(dataset), Problem) for dataset in DATASETS}
    rows = []
    for name in ORDER_NAMES:
        labels = {dataset: _label(some, name, params, jobs) for dataset, some in problems.items()}
        for dataset, found in labels.items():
            write_records(labels_file(dataset, name), found)
        rows += audit(problems[FULL], labels[FULL])
    write_json(AUDIT_JSON, [row.model_dump() for row in rows])
    write_text(AUDIT_CSV, to_csv(rows))
    return rows


def _label(problems: list[Problem], name: OrderName, params: WdaParams, jobs: int) -> list[Label]:
    order = make_order(name, params.tries, params.budget, params.keep)
    return list(follow(label_all(problems, order, jobs), len(problems), f"searching, order {name}"))
