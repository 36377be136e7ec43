"""Write the embedded sample anew: python -m tools.sample [--out FOLDER] [--seed N]."""

import argparse
from pathlib import Path

from tools.sample.writer import SEED, write_sample

parser = argparse.ArgumentParser(prog="python -m tools.sample", description="Write the embedded sample anew.")
parser.add_argument("--out", type=Path, default=Path("data/sample"), help="the folder it goes to")
parser.add_argument("--seed", type=int, default=SEED, help="another seed, other problems")
options = parser.parse_args()
counts = write_sample(options.out, options.seed)
print(f"{counts.full:,} problems with equations and {counts.weak:,} with answers only: {options.out}")
