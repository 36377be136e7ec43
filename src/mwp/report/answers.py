"""Answers as text: the numbers found, the equations with their steps, and what the model thinks of each."""

from fractions import Fraction

from mwp.evaluation.answers import Answer, Step, Suggestion

SIGNS = {"*": "×", "/": "÷"}


def answer_text(answer: Answer) -> str:
    lines = [", ".join(f"{number.name} = {number.spelling}" for number in answer.numbers)]
    for place, suggestion in enumerate(answer.suggestions, 1):
        lines.append(f"{place}. {_equation(suggestion)}  ({_worth(suggestion)})")
        lines += [f"   {_step(step)}" for step in suggestion.steps]
    first = answer.suggestions[0] if answer.suggestions else None
    return "\n".join([*lines, f"answer: {_final(first)}"])


def _equation(suggestion: Suggestion) -> str:
    also = f"; also {', '.join(suggestion.also)}" if suggestion.also else ""
    return f"{suggestion.equation} = {suggestion.answer or 'no value'}{also}"


def _worth(suggestion: Suggestion) -> str:
    parts = [f"probability {percent(suggestion.probability)}"]
    if suggestion.plausibility is not None:
        parts.append(f"plausibility {percent(suggestion.plausibility)}")
    if suggestion.fitness is not None:
        parts.append(f"discriminator {suggestion.fitness:.2f}")
    return ", ".join(parts)


def _step(step: Step) -> str:
    return f"{step.left} {SIGNS.get(step.operator, step.operator)} {step.right} = {step.result or 'no value'}"


def _final(suggestion: Suggestion | None) -> str:
    if suggestion is None or suggestion.answer is None:
        return "none"
    return suggestion.answer + (approximation(suggestion.value) if "/" in suggestion.answer else "")


def approximation(value: Fraction | None) -> str:
    return "" if value is None else f" (≈ {float(value):.4g})"


def percent(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.0005 else "below 0.1%"
