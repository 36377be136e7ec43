"""Tables of kept runs: scores, trainings, trials, and paired differences between systems."""

from collections.abc import Sequence
from dataclasses import dataclass

from mwp.errors import BadInput
from mwp.evaluation.comparison import mcnemar
from mwp.evaluation.intervals import Estimate, estimate
from mwp.evaluation.topk import KS
from mwp.report.kept import Kept, KeptRun
from mwp.report.scores import mean, percent, plausible
from mwp.report.systems import points
from mwp.report.tables import table

# The epochs, from 1, whose accuracy on the inner slice a table shows beside that of the last.
EPOCHS = (1, 2, 3, 5, 10, 15)


@dataclass(frozen=True)
class Tables:
    """Every method gives Markdown; systems that were not run are named as such, not left out."""

    kept: Kept
    fold: int = 0

    def run(self, system: str) -> KeptRun:
        if (system, self.fold) not in self.kept.runs:
            known = ", ".join(name for name, fold in self.kept.runs if fold == self.fold)
            raise BadInput(f"no kept run of {system} on fold {self.fold} in {self.kept.folder}; there are: {known}")
        return self.kept.runs[system, self.fold]

    def has(self, *systems: str) -> bool:
        return all((system, self.fold) in self.kept.runs for system in systems)

    def scores(self, *systems: str, dataset: str = "full") -> str:
        """What the test part says of each system."""
        header = (
            "system",
            "top-1",
            "top-1, the paper's scorer",
            "top-1, equal beams merged",
            "top-1, most plausible",
            "top-3",
            "top-5",
            "any right of 5",
            "distinct right of 5",
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
            plausible(scores),
            percent(exact[3].precision),
            percent(exact[5].precision),
            percent(exact[5].any_right),
            mean(exact[5].distinct_right),
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
            "of them by beams",
            "sound",
            "mean weight, sound / spurious",
            "discriminator AUC",
            f"inner slice after epochs {', '.join(map(str, EPOCHS))}, last",
        )
        rows = [self._training_row(self.run(system)) for system in systems if self.has(system)]
        return table(header, rows) if rows else ""

    def _training_row(self, run: KeptRun) -> tuple[str, ...]:
        last = run.history[-1]
        stocks = run.buffer.sources if run.buffer else {}
        found = sum(stock.solutions for source, stock in stocks.items() if source in ("beam", "fix"))
        weights = [f"{last[name]:.2f}" if name in last else "none" for name in ("weight_sound", "weight_spurious")]
        return (
            run.title,
            str(len(run.history)),
            {"no": "float32"}.get(run.config["optimiser"]["amp"], run.config["optimiser"]["amp"]),
            f"{run.minutes:.0f}",
            f"{last['buffer_size']:,.0f}",
            f"{found:,}",
            f"{last['buffer_purity']:.1%}" if "buffer_purity" in last else "unknown",
            " / ".join(weights),
            f"{last['discriminator_auc']:.3f}" if "discriminator_auc" in last else "none",
            self._curve(run),
        )

    def _curve(self, run: KeptRun) -> str:
        shown = [epoch for epoch in EPOCHS if epoch < len(run.history)]
        return ", ".join(
            f"{100 * run.history[epoch - 1]['valid_accuracy']:.1f}" for epoch in (*shown, len(run.history))
        )

    def trials(self, prefix: str, *fields: str) -> str:
        """Trainings whose name starts so: the values of `fields`, and what the inner slice says of them."""
        runs = [run for (name, fold), run in self.kept.runs.items() if name.startswith(prefix) and fold == self.fold]
        rows = []
        for run in runs:
            best = max(run.history, key=lambda epoch: epoch["valid_accuracy"])
            top_5 = best.get("valid_top_5")
            rows.append(
                (
                    run.system,
                    *(_shown(run, field) for field in fields),
                    f"{len(run.history)} of {_value(run, 'optimiser.epochs')}",
                    f"{best['valid_accuracy']:.1%}",
                    "" if top_5 is None else f"{top_5:.1%}",
                    f"{run.minutes:.0f}" if "minutes" in run.history[-1] else "",
                )
            )
        names = [field.rpartition(".")[2] for field in fields]
        return table(("trial", *names, "epochs", "top-1 on the inner slice", "top-5", "minutes"), rows)

    def picks(self, *systems: str, dataset: str = "full") -> str:
        """What it adds to top-1 to take the most plausible of the merged beams, paired on the same problems."""
        rows = []
        for run in (self.run(system) for system in systems if self.has(system)):
            scores = run.scores[dataset]
            if scores.plausible:
                gain = points(scores.plausible["exact"].gain)
                rows.append((run.title, percent(scores.accuracy()), plausible(scores), gain))
        return table(("system", "top-1", "most plausible", "points"), rows) if rows else ""

    def traits(self, *systems: str) -> str:
        """What speaks for and against a beam, where a system has learned it."""
        runs = [self.run(system) for system in systems if self.has(system)]
        known = [(run.title, run.plausibility) for run in runs if run.plausibility]
        if not known:
            return ""
        names = known[0][1]
        rows = [(name, *(f"{weights[name]:+.2f}" for _, weights in known)) for name in names]
        return table(("trait", *(title for title, _ in known)), rows)

    def top(self, system: str, k: int = 1, dataset: str = "full") -> str:
        return percent(self.run(system).scores[dataset].top["exact"][k].precision)

    def plausible(self, system: str, dataset: str = "full") -> str:
        return plausible(self.run(system).scores[dataset])

    def gain(self, system: str, base: str, k: int = 1, dataset: str = "full") -> str:
        """Points gained on the same problems, with their interval; bold where it excludes zero."""
        return points(self._difference(system, base, k, dataset)[0])

    def gains(self, *pairs: tuple[str, str], dataset: str = "full") -> str:
        """Paired differences of those pairs of which both were run."""
        rows = []
        for system, base in pairs:
            if not self.has(system, base):
                continue
            found = {k: self._difference(system, base, k, dataset) for k in KS}
            _, only_ours, only_theirs = found[1]
            rows.append(
                (
                    f"{self.run(system).title} over {self.run(base).title}",
                    *(points(found[k][0]) for k in KS),
                    f"{only_ours:,}",
                    f"{only_theirs:,}",
                    f"{mcnemar(only_ours, only_theirs):.2g}",
                )
            )
        header = ("systems", *(f"top-{k}" for k in KS), "only the first right", "only the second right", "McNemar p")
        return table(header, rows) if rows else ""

    def claims(self, *rows: tuple[str, ...]) -> str:
        """Rows made by `claim`."""
        return table(("claim", "points here", "holds here"), rows)

    def claim(self, text: str, system: str, base: str, k: int = 1, dataset: str = "full") -> tuple[str, ...]:
        """What is said of two systems, and whether the paired interval bears it out."""
        if not self.has(system, base):
            return text, "not run", ""
        found, _, _ = self._difference(system, base, k, dataset)
        verdict = "yes" if found.low > 0 else "no, the opposite" if found.high < 0 else "not shown"
        return text, points(found), verdict

    def _difference(self, system: str, base: str, k: int, dataset: str) -> tuple[Estimate, int, int]:
        """The paired difference of precision at k; how many problems only one of the two gets right at all in k."""
        ours, theirs = (self._rights(name, k, dataset) for name in (system, base))
        differences = [a - b for a, b in zip(ours, theirs, strict=True)]
        only = [sum(a > 0 and not b for a, b in zip(x, y, strict=True)) for x, y in ((ours, theirs), (theirs, ours))]
        return estimate(differences, per=k), only[0], only[1]

    def _rights(self, system: str, k: int, dataset: str) -> Sequence[int]:
        self.run(system)
        return [marks.exact[:k].count("1") for marks in self.kept.marks(system, self.fold, dataset)]


def _shown(run: KeptRun, field: str) -> str:
    """What no plain training uses is left out."""
    unused = field.startswith("diversity.") and run.config["variant"] == "plain"
    return "" if unused else str(_value(run, field))


def _value(run: KeptRun, field: str) -> object:
    value: object = run.config
    for part in field.split("."):
        value = value[part] if isinstance(value, dict) else None
    return value
