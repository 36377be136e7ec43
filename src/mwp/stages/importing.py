"""`mwp data import`: a raw file to problem records, with everything dropped accounted for."""

from dataclasses import dataclass
from pathlib import Path

from mwp.data.cleaning import clean
from mwp.data.files import write_records
from mwp.data.readers import read_problems
from mwp.stages.progress import following


@dataclass(frozen=True)
class Import:
    total: int
    kept: int
    drops_file: Path

    @property
    def dropped(self) -> int:
        return self.total - self.kept


def run_import(file: Path, out: Path, cleaned: bool) -> Import:
    reading = read_problems(file, progress=following(f"reading {file.name}"))
    problems, drops = reading.problems, reading.drops
    if cleaned:
        cleaning = clean(problems)
        problems, drops = cleaning.kept, [*drops, *cleaning.drops]
    drops_file = out.with_name(f"{out.name}.drops.jsonl")
    write_records(out, problems)
    write_records(drops_file, drops)
    return Import(total=len(problems) + len(drops), kept=len(problems), drops_file=drops_file)
