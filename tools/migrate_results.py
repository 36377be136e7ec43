"""Saved runs of 0.1 under the names of 0.2: python -m tools.migrate_results [FOLDER]

Every record is read under its old names and written under the new ones; a file that has them already stays as it is.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from mwp.data.files import read_records, read_text, write_text
from mwp.inference.predictions import Prediction
from mwp.report.results_document import EXAMPLES, Solved
from mwp.report.saved_runs import RUN, Correctness, SavedRun, correctness_file, predictions_file

OLD_CORRECTNESS, OLD_EXAMPLES = "-marks.jsonl.gz", "own.jsonl"


def migrate(folder: Path) -> list[Path]:
    """The files that changed."""
    changed = []
    for path, text in _migrated(folder):
        if read_text(path) != text:
            write_text(path, text)
            changed.append(path)
    return changed


def _migrated(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file with what it should hold."""
    for old in sorted(folder.glob(f"*/{OLD_EXAMPLES}")):
        old.rename(old.with_name(EXAMPLES))
    for file in sorted(folder.glob(f"*/{EXAMPLES}")):
        yield file, "".join(_answer(solved) for solved in read_records(file, Solved))
    for file in sorted(folder.glob(f"*/fold-*/{RUN}")):
        run = SavedRun.model_validate_json(read_text(file))
        yield file, run.model_dump_json(indent=1) + "\n"
        for dataset in run.scores:
            correctness = correctness_file(file.parent, dataset)
            if (marks := file.with_name(f"{dataset}{OLD_CORRECTNESS}")).exists():
                marks.rename(correctness)
            yield correctness, _lines(correctness, Correctness)
            found = predictions_file(file.parent, dataset)
            yield found, _lines(found, Prediction)


def _lines(file: Path, kind: type[Correctness] | type[Prediction]) -> str:
    return "".join(record.model_dump_json() + "\n" for record in read_records(file, kind))


def _answer(solved: Solved) -> str:
    """As `mwp solve --file FILE --json` prints it."""
    answer = solved.model_dump(mode="json", exclude={"line"})
    return json.dumps({"line": solved.line, **answer}, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    found = migrate(Path(sys.argv[1] if len(sys.argv) > 1 else "results/real"))
    print(f"{len(found)} files written anew")
