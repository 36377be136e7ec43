"""`mwp data import`: a raw file to problem records, with everything dropped accounted for."""

from dataclasses import dataclass
from pathlib import Path

from mwp.data.cleaning import clean
from mwp.data.files import output_file, write_records
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
    target = output_file(out, file)
    drops_file = out.with_name(f"{out.name}.drops.jsonl")
    drops_target = output_file(drops_file, file)
    reading = read_problems(file, progress=following(f"reading {file.name}"))
    problems, drops = reading.problems, reading.drops
    if cleaned:
        cleaning = clean(problems)
        problems, drops = cleaning.kept, [*drops, *cleaning.drops]
    write_records(target, problems)
    write_records(drops_target, drops)
    return Import(total=len(problems) + len(drops), kept=len(problems), drops_file=drops_file)
