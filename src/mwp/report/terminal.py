"""Answers, scores and inventories as text for a terminal."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from mwp.data.cleaning import Inventory
from mwp.evaluation.metrics import Soundness
from mwp.evaluation.outcomes import ScorerName
from mwp.evaluation.scores import Breakdown, Group, Scores
from mwp.evaluation.search_audit import ALL, AuditRow
from mwp.evaluation.statistics import Comparison, Estimate
from mwp.inference.answers import Answer, SolvedProblem, Step
from mwp.report.pooled_scores import Gain, Scored
from mwp.report.tables import mean, percent, percent_of, points, table

SIGNS = {"*": "×", "/": "÷"}


def audit_table(rows: Sequence[AuditRow]) -> str:
    """Coverage and soundness of each strategy over all problems."""
    return table(
        ("strategy", "problems", "found", "first sound", "sound in first 5", "first sound of found"),
        [
            (
                row.strategy,
                f"{row.problems:,}",
                percent_of(row.found, row.problems),
                percent_of(row.sound, row.problems),
                percent_of(row.sound_at_5, row.problems),
                percent_of(row.sound, row.found),
            )
            for row in rows
            if row.operators == ALL
        ],
    )


def operators_table(rows: Sequence[AuditRow]) -> str:
    """The share of problems whose first candidate is sound, by the operators of the ground truth."""
    strategies = list(dict.fromkeys(row.strategy for row in rows))
    sound = {(row.strategy, row.operators): row for row in rows}
    counts = [row.operators for row in rows if row.strategy == strategies[0] and row.operators != ALL]
    return table(
        ("operators", "problems", *strategies),
        [
            (
                count,
                f"{sound[strategies[0], count].problems:,}",
                *(percent_of(sound[strategy, count].sound, sound[strategy, count].problems) for strategy in strategies),
            )
            for count in counts
        ],
    )


def answer_text(solved: SolvedProblem) -> str:
    lines = [", ".join(f"{number.name} = {number.spelling}" for number in solved.numbers)]
    for rank, answer in enumerate(solved.answers, 1):
        lines.append(f"{rank}. {_equation(answer)}  ({_confidence(answer)})")
        lines += [f"   {_step(step)}" for step in answer.steps]
    return "\n".join([*lines, f"answer: {_final(solved.answers)}"])


def _equation(answer: Answer) -> str:
    equal = f"; also {', '.join(answer.equal)}" if answer.equal else ""
    return f"{answer}{equal}"


def _confidence(answer: Answer) -> str:
    parts = [f"probability {probability_text(answer.probability)}"]
    if answer.verified is not None:
        parts.append(f"verified {probability_text(answer.verified)}")
    if answer.qualification is not None:
        parts.append(f"discriminator {answer.qualification:.2f}")
    return ", ".join(parts)


def _step(step: Step) -> str:
    return f"{step.left} {SIGNS.get(step.operator, step.operator)} {step.right} = {step.result or 'no value'}"


def _final(answers: Sequence[Answer]) -> str:
    if not answers or answers[0].text is None:
        return "none"
    return answers[0].text + (approximation(answers[0].value) if "/" in answers[0].text else "")


def approximation(value: Fraction | None) -> str:
    return "" if value is None else f" (≈ {float(value):.4g})"


def probability_text(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.0005 else "below 0.1%"


def scores_text(scores: Scores) -> str:
    parts = [_counts(scores), top_k_table(scores), picked_text(scores)]
    if scores.soundness:
        parts.append(soundness_text(scores.soundness))
    parts.append(breakdown_table(scores.breakdown))
    return "\n\n".join(parts)


def _counts(scores: Scores) -> str:
    return (
        f"{scores.problems:,} problems, {scores.missing:,} of them without a prediction (counted as wrong); "
        f"{scores.hypotheses:,} hypotheses, {scores.no_value:,} of them without a value; "
        f"{scores.no_float:,} answers that float() cannot read (always wrong under paper)"
    )


def top_k_table(scores: Scores) -> str:
    return table(
        ("scorer", "k", "precision@k", "pass@k", "distinct@k"),
        [
            (scorer, str(k), percent(top.precision), percent(top.pass_at_k), mean(top.distinct_at_k))
            for scorer, by_k in scores.top.items()
            for k, top in by_k.items()
        ],
    )


def picked_text(scores: Scores) -> str:
    """A line for each other way to pick the first hypothesis."""
    picks = {"merged (equal hypotheses as one)": scores.merged, "verified": scores.verified or {}}
    return "\n".join(
        f"top-1, {name}: {', '.join(f'{percent(picked.accuracy)} {scorer}' for scorer, picked in by_scorer.items())}"
        for name, by_scorer in picks.items()
        if by_scorer
    )


def verified(scores: Scores) -> str:
    """Exact accuracy of the hypothesis that the verifier picks; a dash where there was none."""
    return percent(scores.verified["exact"].accuracy) if scores.verified else "–"


def soundness_text(soundness: Soundness) -> str:
    """Two lines: how many first hypotheses are sound, how many right ones are spurious."""
    return (
        f"first hypothesis sound: {percent(soundness.sound)} of {soundness.problems:,} problems with a ground truth\n"
        f"spurious: {_share(soundness.spurious_first)} of {soundness.right_first:,} right first hypotheses, "
        f"{_share(soundness.spurious_in_top_5)} of {soundness.right_in_top_5:,} right ones among the first 5"
    )


def _share(estimate: Estimate | None) -> str:
    return percent(estimate) if estimate else "none"


def breakdown_table(breakdown: Breakdown) -> str:
    scorers = list(breakdown.numbers[0].accuracy) if breakdown.numbers else []  # every problem is in one of these
    return table(
        ("accuracy by", "problems", *scorers),
        [
            *_rows("operators", breakdown.operators, scorers),
            *_rows("numbers", breakdown.numbers, scorers),
            *_rows("twin in training:", breakdown.twins, scorers),
        ],
    )


def _rows(what: str, groups: Sequence[Group], scorers: Sequence[ScorerName]) -> list[tuple[str, ...]]:
    return [
        (f"{what} {group.name}", f"{group.problems:,}", *(percent(group.accuracy[scorer]) for scorer in scorers))
        for group in groups
    ]


def comparison_table(comparisons: Mapping[ScorerName, Comparison]) -> str:
    """First hypotheses of this run (A) and the other (B), by scorer."""
    return table(
        ("scorer", "problems", "A", "B", "A - B", "both right", "only A", "only B", "neither", "McNemar p"),
        [
            (
                scorer,
                f"{paired.problems:,}",
                percent(paired.a),
                percent(paired.b),
                percent(paired.difference),
                *(f"{count:,}" for count in (paired.both, paired.only_a, paired.only_b, paired.neither)),
                f"{paired.p_value:.3g}",
            )
            for scorer, paired in comparisons.items()
        ],
    )


def inventory_text(inventory: Inventory) -> str:
    parts = [
        f"{inventory.problems:,} problems: {inventory.with_equation:,} with an equation, "
        f"{inventory.without_equation:,} with an answer only; {inventory.dropped:,} records dropped",
        _histogram("numbers in the text", inventory.numbers, inventory.problems),
        _histogram("answer", inventory.answers, inventory.problems),
    ]
    if inventory.with_equation:
        parts.append(_histogram("operators", inventory.operators, inventory.with_equation))
        parts.append(
            f"{inventory.duplicated_numbers:,} texts hold a number twice; "
            f"{inventory.wrong_equations:,} equations do not give the answer"
        )
    if inventory.drops:
        parts.append(_histogram("dropped because", inventory.drops, inventory.dropped))
    return "\n\n".join(parts)


def _histogram(name: str, counts: Mapping[int, int] | Mapping[str, int], total: int) -> str:
    rows = [(str(key), f"{count:,}", percent_of(count, total)) for key, count in counts.items() if count]
    return table((name, "problems", "share"), rows)


def systems_table(runs: Sequence[Scored]) -> str:
    """Precision at k is the paper's top-k accuracy."""
    return table(
        (
            "system",
            "fold",
            "top-1",
            "top-1 (paper's scorer)",
            "top-1, merged",
            "top-1, verified",
            "top-3",
            "top-5",
            "pass@5",
            "distinct@5",
        ),
        [
            (
                run.title,
                str(run.fold),
                percent(run.scores.top["exact"][1].precision),
                percent(run.scores.top["paper"][1].precision),
                percent(run.scores.merged["exact"].accuracy),
                verified(run.scores),
                percent(run.scores.top["exact"][3].precision),
                percent(run.scores.top["exact"][5].precision),
                percent(run.scores.top["exact"][5].pass_at_k),
                mean(run.scores.top["exact"][5].distinct_at_k),
            )
            for run in runs
        ],
    )


def gains_table(gains: Sequence[Gain]) -> str:
    """Bold where the interval excludes zero."""
    return table(
        ("setting", "systems", "dataset", "folds", "top-1", "top-3", "top-5"),
        [
            (
                gain.setting,
                gain.title,
                gain.dataset,
                str(len(gain.folds)),
                *(points(gain.top[k]) for k in (1, 3, 5)),
            )
            for gain in gains
        ],
    )
