"""Coverage and soundness of the three orders on a file with equations: the tables of docs/search.md.

    python -m benchmarks.orders FILE

All figures are over ALL problems that stage clean keeps; the second table is over the even ids alone, which had no
part in tuning the prior.
"""

import argparse
import time
from pathlib import Path

from benchmarks.prior import is_tuning
from mwp.data.cleaning import clean
from mwp.data.readers import read_problems
from mwp.evaluation.search_audit import AuditRow, audit
from mwp.report.terminal import audit_table, operators_table
from mwp.wda.registry import STRATEGIES, make_strategy
from mwp.wda.strategies import label_all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    problems = clean(read_problems(parser.parse_args().file).problems).kept
    every: list[AuditRow] = []
    held_out: list[AuditRow] = []
    for name in STRATEGIES:
        started = time.perf_counter()
        labels = list(
            label_all(problems, make_strategy(name, max_tries=50_000, max_expressions=1_000_000, max_candidates=5))
        )
        print(f"{name}: {time.perf_counter() - started:.1f} s for {len(problems):,} problems")
        every += audit(problems, labels)
        rest = [pair for pair in zip(problems, labels, strict=True) if not is_tuning(pair[0])]
        held_out += audit([problem for problem, _ in rest], [label for _, label in rest])
    print(f"\nAll problems:\n\n{audit_table(every)}\n\nHeld out from tuning (even ids):\n\n{audit_table(held_out)}\n")
    print(f"First candidate sound, by operators of the ground truth, held out:\n\n{operators_table(held_out)}")


if __name__ == "__main__":
    main()
