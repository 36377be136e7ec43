"""Serve a trained solver over HTTP until Ctrl-C."""

import sys
from pathlib import Path

from mwp.report.solve_page import render_solve_page
from mwp.serving.app import make_app
from mwp.serving.server import address_of, listen, serve
from mwp.stages.trained import find_model
from mwp.tracking.scoring import load_scorer
from mwp.tracking.solvers import SCHEMES
from mwp.tracking.store import Store


def run_serve(model: str | None, host: str, port: int, seconds: float) -> None:
    """`model` as for `mwp solve`, or an address in MLflow such as models:/full-d-gts@fold-0."""
    source: str | Path = model if model and model.startswith(SCHEMES) else find_model(model)
    listening = listen(host, port)
    print(f"loading {source}", file=sys.stderr)
    scorer = load_scorer(Store.of_project(), source)
    app = make_app(scorer, render_solve_page(scorer.name), seconds)
    print(f"{address_of(listening)} (Ctrl-C ends it)", flush=True)
    serve(app, listening)
