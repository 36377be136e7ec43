"""Stage wda: label the weak dataset and, as if it had no equations, the full one; audit what can be audited."""

from mwp.data.files import read_records, write_json, write_records, write_text
from mwp.data.problems import Problem
from mwp.evaluation.audit import AuditRow, audit, to_csv
from mwp.search.fanout import label_all
from mwp.search.labels import Label
from mwp.search.orders import ORDER_NAMES, OrderName, make_order
from mwp.stages.layout import AUDIT_CSV, AUDIT_JSON, FULL, WEAK, labels_file, problems_file
from mwp.stages.params import WdaParams
from mwp.stages.progress import follow


def run_wda(params: WdaParams, jobs: int = 0) -> list[AuditRow]:
    """The order of the params makes the labels; the others are run for the audit only."""
    full = read_records(problems_file(FULL), Problem)
    weak = read_records(problems_file(WEAK), Problem)
    rows = []
    for name in ORDER_NAMES:
        labels = _label(full, name, params, jobs)
        rows += audit(full, labels)
        if name == params.order:
            write_records(labels_file(FULL), labels)
    write_records(labels_file(WEAK), _label(weak, params.order, params, jobs))
    write_json(AUDIT_JSON, [row.model_dump() for row in rows])
    write_text(AUDIT_CSV, to_csv(rows))
    return rows


def _label(problems: list[Problem], name: OrderName, params: WdaParams, jobs: int) -> list[Label]:
    order = make_order(name, params.tries, params.budget, params.keep)
    return list(follow(label_all(problems, order, jobs), len(problems), f"searching, order {name}"))
