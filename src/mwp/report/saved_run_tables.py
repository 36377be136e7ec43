"""Tables of saved runs: scores, trainings, tuning runs, and paired differences between systems."""

from collections.abc import Sequence
from dataclasses import dataclass

from mwp.errors import BadInput
from mwp.evaluation.metrics import KS
from mwp.evaluation.statistics import Estimate, estimate, mcnemar
from mwp.report.saved_runs import SavedRun, SavedRuns
from mwp.report.tables import mean, percent, points, table
from mwp.report.terminal import verified

# The epochs, from 1, whose accuracy on the validation split a table shows beside that of the last.
EPOCHS = (1, 2, 3, 5, 10, 15)


@dataclass(frozen=True)
class SavedRunTables:
    """Every method gives Markdown; systems that were not run are named as such, not left out.

    Tables are of one fold, but for claims and `folds`, which take all folds on which both systems were run.
    """

    saved: SavedRuns
    fold: int = 0

    def run(self, system: str, fold: int | None = None) -> SavedRun:
        fold = self.fold if fold is None else fold
        if (system, fold) not in self.saved.runs:
            known = ", ".join(name for name, other in self.saved.runs if other == fold)
            raise BadInput(f"no saved run of {system} on fold {fold} in {self.saved.folder}; there are: {known}")
        return self.saved.runs[system, fold]

    def on(self, fold: int) -> "SavedRunTables":
        """The same tables of another fold."""
        return SavedRunTables(self.saved, fold)

    def has(self, *systems: str) -> bool:
        return all((system, self.fold) in self.saved.runs for system in systems)

    def scores(self, *systems: str, dataset: str = "full") -> str:
        """The scores of each system on the test part."""
        header = (
            "system",
            "top-1",
            "top-1, the paper's scorer",
            "top-1, merged",
            "top-1, verified",
            "top-3",
            "top-5",
            "pass@5",
            "distinct@5",
            "spurious among right",
            "minutes",
        )
        return table(header, [self._score_row(system, dataset, len(header)) for system in systems])

    def _score_row(self, system: str, dataset: str, width: int) -> tuple[str, ...]:
        if not self.has(system):
            return (system, "not run", *("",) * (width - 2))
        run = self.run(system)
        scores = run.scores[dataset]
        exact = scores.top["exact"]
        spurious = scores.soundness.spurious_first if scores.soundness else None
        return (
            run.title,
            percent(exact[1].precision),
            percent(scores.top["paper"][1].precision),
            percent(scores.merged["exact"].accuracy),
            verified(scores),
            percent(exact[3].precision),
            percent(exact[5].precision),
            percent(exact[5].pass_at_k),
            mean(exact[5].distinct_at_k),
            percent(spurious) if spurious else "unknown",
            f"{run.minutes:.0f}",
        )

    def trainings(self, *systems: str) -> str:
        """How each training went: its length, its buffer and its discriminator."""
        header = (
            "system",
            "epochs",
            "precision",
            "minutes",
            "solutions",
            "found in training",
            "sound",
            "mean weight, sound / spurious",
            "discriminator AUC",
            f"validation split after epochs {', '.join(map(str, EPOCHS))}, last",
        )
        rows = [self._training_row(self.run(system)) for system in systems if self.has(system)]
        return table(header, rows) if rows else ""

    def _training_row(self, run: SavedRun) -> tuple[str, ...]:
        last = run.history[-1]
        sources = run.buffer.sources if run.buffer else {}
        found = sum(counts.solutions for source, counts in sources.items() if source in ("beam", "lbf"))
        weights = [f"{last[name]:.2f}" if name in last else "none" for name in ("weight_sound", "weight_spurious")]
        return (
            run.title,
            str(len(run.history)),
            {"fp32": "float32"}.get(run.config["optimizer"]["precision"], run.config["optimizer"]["precision"]),
            f"{run.minutes:.0f}",
            f"{last['buffer_size']:,.0f}",
            f"{found:,}",
            f"{last['buffer_purity']:.1%}" if "buffer_purity" in last else "unknown",
            " / ".join(weights),
            f"{last['discriminator_auc']:.3f}" if "discriminator_auc" in last else "none",
            self._curve(run),
        )

    def _curve(self, run: SavedRun) -> str:
        shown = [epoch for epoch in EPOCHS if epoch < len(run.history)]
        found = [run.history[epoch - 1].get("valid_accuracy") for epoch in (*shown, len(run.history))]
        return ", ".join("none" if accuracy is None else f"{100 * accuracy:.1f}" for accuracy in found)

    def tuning_runs(self, prefix: str, *fields: str) -> str:
        """Trainings whose name starts with `prefix`: the values of `fields`, and accuracy on the validation split."""
        runs = [run for (name, fold), run in self.saved.runs.items() if name.startswith(prefix) and fold == self.fold]
        rows = []
        for run in runs:
            best = max(run.history, key=lambda epoch: epoch.get("valid_accuracy", 0.0))
            top_1, top_5 = best.get("valid_accuracy"), best.get("valid_top_5")
            rows.append(
                (
                    run.system,
                    *(_shown(run, field) for field in fields),
                    f"{len(run.history)} of {_value(run, 'optimizer.epochs')}",
                    "none" if top_1 is None else f"{top_1:.1%}",
                    "" if top_5 is None else f"{top_5:.1%}",
                    f"{run.minutes:.0f}" if "minutes" in run.history[-1] else "",
                )
            )
        names = [field.rpartition(".")[2] for field in fields]
        return table(("tuning run", *names, "epochs", "top-1 on the validation split", "top-5", "minutes"), rows)

    def picks(self, *systems: str, dataset: str = "full") -> str:
        """What the verifier's choice among the merged hypotheses adds to top-1, paired on the same problems."""
        rows = []
        for run in (self.run(system) for system in systems if self.has(system)):
            scores = run.scores[dataset]
            if scores.verified:
                gain = points(scores.verified["exact"].gain)
                rows.append((run.title, percent(scores.accuracy()), verified(scores), gain))
        return table(("system", "top-1", "top-1, verified", "verifier adds (points)"), rows) if rows else ""

    def features(self, *systems: str) -> str:
        """The weights of the verifier's features, where a system has a verifier."""
        runs = [self.run(system) for system in systems if self.has(system)]
        known = [(run.title, run.verifier) for run in runs if run.verifier]
        if not known:
            return ""
        names = known[0][1]
        rows = [(name, *(f"{weights[name]:+.2f}" for _, weights in known)) for name in names]
        return table(("feature", *(title for title, _ in known)), rows)

    def top(self, system: str, k: int = 1, dataset: str = "full") -> str:
        return percent(self.run(system).scores[dataset].top["exact"][k].precision)

    def verified(self, system: str, dataset: str = "full") -> str:
        return verified(self.run(system).scores[dataset])

    def gain(
        self, system: str, base: str, k: int = 1, dataset: str = "full", folds: Sequence[int] | None = None
    ) -> str:
        """Points gained on the same problems, with their interval; bold where it excludes zero."""
        return points(self._difference(system, base, k, dataset, folds or [self.fold]))

    def gains(self, *pairs: tuple[str, str], dataset: str = "full") -> str:
        """Paired differences of those pairs of which both were run."""
        rows = []
        for system, base in pairs:
            if not self.has(system, base):
                continue
            found = {k: self._difference(system, base, k, dataset, [self.fold]) for k in KS}
            only_ours, only_theirs = self._decided(system, base, dataset)
            rows.append(
                (
                    f"{self.run(system).title} over {self.run(base).title}",
                    *(points(found[k]) for k in KS),
                    f"{only_ours:,}",
                    f"{only_theirs:,}",
                    f"{mcnemar(only_ours, only_theirs):.2g}",
                )
            )
        header = ("systems", *(f"top-{k}" for k in KS), "only the first right", "only the second right", "McNemar p")
        return table(header, rows) if rows else ""

    def claims(self, *rows: tuple[str, ...]) -> str:
        """Rows made by `claim`."""
        return table(("claim", "folds", "points here", "holds here"), rows)

    def claim(self, text: str, system: str, base: str, k: int = 1, dataset: str = "full") -> tuple[str, ...]:
        """A claim about two systems, and whether the paired interval supports it."""
        folds = self._shared(system, base)
        if not folds:
            return text, "", "not run", ""
        found = self._difference(system, base, k, dataset, folds)
        holds = "yes" if found.low > 0 else "no, the opposite" if found.high < 0 else "not shown"
        return text, ", ".join(map(str, folds)), points(found), holds

    def folds(self, system: str, base: str, dataset: str = "full") -> str:
        """Both systems on each fold that they share, and on all of these together."""
        shared = self._shared(system, base)
        if not shared:
            return ""
        titles = [self.run(name, shared[0]).title for name in (base, system)]
        header = ("fold", "seed", "test problems", *titles, *(f"top-{k} gained" for k in KS))
        rows = [self._folds_row(str(fold), system, base, dataset, [fold]) for fold in shared]
        return table(header, [*rows, self._folds_row("all", system, base, dataset, shared)])

    def _folds_row(self, name: str, system: str, base: str, dataset: str, folds: Sequence[int]) -> tuple[str, ...]:
        seeds = sorted({str(self.run(system, fold).config["seed"]) for fold in folds})
        first = [self._rights(each, 1, dataset, folds) for each in (base, system)]
        return (
            name,
            ", ".join(seeds),
            f"{len(first[0]):,}",
            *(percent(estimate(rights)) for rights in first),
            *(points(self._difference(system, base, k, dataset, folds)) for k in KS),
        )

    def _shared(self, system: str, base: str) -> list[int]:
        """The folds on which both were run."""
        return sorted(fold for name, fold in self.saved.runs if name == system and (base, fold) in self.saved.runs)

    def _difference(self, system: str, base: str, k: int, dataset: str, folds: Sequence[int]) -> Estimate:
        """The paired difference of precision at k on the test problems of these folds."""
        ours, theirs = (self._rights(name, k, dataset, folds) for name in (system, base))
        return estimate([a - b for a, b in zip(ours, theirs, strict=True)], per=k)

    def _decided(self, system: str, base: str, dataset: str) -> tuple[int, int]:
        """How many problems only the first of the two solves by its first hypothesis, and how many only the other."""
        ours, theirs = (self._rights(name, 1, dataset, [self.fold]) for name in (system, base))
        pairs = list(zip(ours, theirs, strict=True))
        return sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)

    def _rights(self, system: str, k: int, dataset: str, folds: Sequence[int]) -> Sequence[int]:
        """How many of the first k hypotheses are right, a number for each test problem of each fold."""
        runs = [self.run(system, fold) for fold in folds]
        return [
            correctness.exact[:k].count("1")
            for run in runs
            for correctness in self.saved.correctness(system, run.fold, dataset)
        ]


def _shown(run: SavedRun, field: str) -> str:
    """What no plain training uses is left out."""
    unused = field.startswith("diversity.") and run.config["variant"] == "plain"
    return "" if unused else str(_value(run, field))


def _value(run: SavedRun, field: str) -> object:
    value: object = run.config
    for part in field.split("."):
        value = value[part] if isinstance(value, dict) else None
    return value
