"""Plain Python twins of the compiled search: slow, short, and what the kernels must equal."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from mwp.arith.expressions import ONE, OPERATORS, PI, Constant, Expression, Operation, Operator, Quantity, leaves, nodes
from mwp.wda.tasks import KINDS, PART, UNUSED, Task

FOUR = OPERATORS[:4]


@dataclass(frozen=True)
class Found:
    """An expression with its value, worked out in the same float steps as the kernel's."""

    expression: Expression
    value: float


def leaves_of(task: Task) -> list[Found]:
    quantities: list[Expression] = [Quantity(i) for i in range(task.quantities)]
    return [Found(leaf, value) for leaf, value in zip([*quantities, ONE, PI], task.values.tolist(), strict=True)]


def work_out(operator: Operator, left: float, right: float) -> float | None:
    if operator == "^":
        return {2.0: left * left, 3.0: left * left * left}.get(right)
    if operator == "/":
        return left / right if right else None
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def is_solution(found: Found, task: Task) -> bool:
    used = leaves(found.expression)
    multiplies = any(isinstance(node, Operation) and node.operator == "*" for node in nodes(found.expression))
    has_quantity = any(isinstance(leaf, Quantity) for leaf in used)
    return abs(found.value - task.answer) <= task.tolerance and has_quantity and (PI not in used or multiplies)


def join(operator: Operator, left: Found, right: Found) -> Found | None:
    if left is right and operator in "-/":
        return None
    value = work_out(operator, left.value, right.value)
    return None if value is None else Found(Operation(operator, left.expression, right.expression), value)


def bare_quantity(task: Task) -> Expression | None:
    for leaf in leaves_of(task)[: task.quantities]:
        if abs(leaf.value - task.answer) <= task.tolerance:
            return leaf.expression
    return None


def paper_order(task: Task, tries: int) -> Expression | None:
    """Algorithm 1, line by line."""
    r1 = leaves_of(task)
    r2: list[Found] = []
    r3 = r1
    tried = 0
    while True:
        for i in r1:
            for j in r3:
                for operator in OPERATORS:
                    s = join(operator, i, j)
                    if s is None:
                        continue
                    if tried == tries:
                        return bare_quantity(task)
                    tried += 1
                    if is_solution(s, task):
                        return s.expression
                    r2.append(s)
        r3, r1, r2 = r3 + r2, r2, []


def published_order(task: Task, tries: int) -> Expression | None:
    """All x all in each round; values above zero, equal ones kept once."""
    found = leaves_of(task)
    seen = {leaf.value for leaf in found}
    tried = 0
    while True:
        new: list[Found] = []
        for i, j in product(found, found):
            for operator in FOUR:
                if i is j and operator in "-/":
                    continue
                if tried == tries:
                    return bare_quantity(task)
                tried += 1
                s = join(operator, i, j)
                if s is None or not s.value > 0:
                    continue
                if is_solution(s, task):
                    return s.expression
                if s.value not in seen:
                    seen.add(s.value)
                    new.append(s)
        if not new:
            return bare_quantity(task)
        found += new


# --- the plausible space ---

Bag = tuple[int, ...]  # how often each leaf is used: the quantities, 1, pi


def is_admissible(bag: Bag) -> bool:
    *quantities, ones, pis = bag
    used = sum(quantities)
    verified = max(quantities, default=0) <= 1 and ones + pis <= 1 and used <= 5
    extras = ones + pis + sum(max(count - 1, 0) for count in quantities)
    wide = sum(bag) <= 5 and extras <= 2 and pis <= 1 and max(quantities, default=0) <= 3
    return verified or wide


def all_expressions(task: Task, bag: Bag, cache: dict[Bag, list[Found]]) -> list[Found]:
    """Every expression with exactly these leaves: each split, each operator, both ways round, no shortcut."""
    if bag not in cache:
        if sum(bag) == 1:
            cache[bag] = [leaves_of(task)[bag.index(1)]]
        else:
            cache[bag] = [
                found
                for left_bag in product(*(range(count + 1) for count in bag))
                if 0 < sum(left_bag) < sum(bag)
                for left in all_expressions(task, left_bag, cache)
                for right in all_expressions(
                    task, tuple(whole - part for whole, part in zip(bag, left_bag, strict=True)), cache
                )
                for found in plausible_joins(left, right)
            ]
    return cache[bag]


def plausible_joins(left: Found, right: Found) -> Iterator[Found]:
    for operator in FOUR:
        operands = (left.expression, right.expression)
        if operator in "+-" and PI in operands:
            continue
        if (operator == "*" and ONE in operands) or (operator == "/" and right.expression == ONE):
            continue
        if operator in "-/" and left.expression == right.expression:
            continue
        value = work_out(operator, left.value, right.value)
        if value is None or (operator == "-" and not value > 1e-12 * left.value):
            continue
        yield Found(Operation(operator, left.expression, right.expression), value)


def space_hits(task: Task) -> list[Expression]:
    """All expressions of the space that lead to the answer; for one or two quantities, or it takes for ever."""
    most = [range(4)] * task.quantities + [range(3), range(2)]
    cache: dict[Bag, list[Found]] = {}
    return [
        found.expression
        for bag in product(*most)
        if sum(bag) and sum(bag[:-2]) and is_admissible(bag)
        for found in all_expressions(task, bag, cache)
        if abs(found.value - task.answer) <= task.tolerance
    ]


# --- the features ---

NAMES_OF = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
FORMS = ("whole", "decimal", "fraction", "percent")


@dataclass(frozen=True)
class Noted:
    kind: str
    unit: int
    position: int | None
    value: float


def features(expression: Expression, task: Task) -> dict[str, float]:
    counts: Counter[str] = Counter()
    top = _note(expression, task, counts)
    used = leaves(expression)
    operators = (len(list(nodes(expression))) - 1) // 2
    root = NAMES_OF[expression.operator] if isinstance(expression, Operation) else "leaf"
    counts[f"root {root} for a {FORMS[task.cues.answer_form]}"] += 1
    counts[f"{operators} operators" if operators < 4 else "4 or more operators"] += 1
    if top.unit > 0 and task.cues.asked_unit > 0:
        counts["asked unit" if top.unit == task.cues.asked_unit else "not the asked unit"] += 1
    counts["constant 1"] += used.count(ONE)
    counts["constant 1 twice or more"] += used.count(ONE) > 1
    counts["constant pi"] += used.count(PI)
    for i in range(task.quantities):
        uses = used.count(Quantity(i))
        if uses == 0:
            counts[f"unused {UNUSED[task.cues.unused[i]]}"] += 1
        else:
            counts[f"repeated {'part' if task.cues.kind[i] == PART else 'count'}"] += uses - 1
    return {name: count for name, count in counts.items() if count}


def _note(node: Expression, task: Task, counts: Counter[str]) -> Noted:
    if isinstance(node, Quantity):
        return Noted(
            KINDS[task.cues.kind[node.index]], int(task.cues.unit[node.index]), node.index, task.values[node.index]
        )
    if isinstance(node, Constant):
        return Noted("one" if node == ONE else "pi", 0, None, float(node.value))
    left, right = _note(node.left, task, counts), _note(node.right, task, counts)
    name = NAMES_OF[node.operator]
    value = work_out(node.operator, left.value, right.value)
    assert value is not None
    kinds = [left.kind, right.kind]
    if name in ("add", "multiply"):
        kinds.sort(key=KINDS.index)
    counts[f"{name} {kinds[0]} {kinds[1]}"] += 1
    counts[name] += 1
    if left.unit > 0 and right.unit > 0:
        counts[f"{name} {'same' if left.unit == right.unit else 'other'} unit"] += 1
    if left.position is not None and right.position is not None:
        counts[f"{name} {'in' if left.position < right.position else 'against'} text order"] += 1
        counts[f"{name} neighbours"] += abs(left.position - right.position) == 1
    if not math.isclose(value, round(value), rel_tol=0, abs_tol=1e-9):
        counts["fraction on the way, all numbers whole" if task.cues.all_whole else "fraction on the way"] += 1
    return Noted(_kind(left.kind, right.kind), _unit(node.operator, left.unit, right.unit), None, value)


def _kind(left: str, right: str) -> str:
    return "part" if {left, right} <= {"part", "one"} and "part" in (left, right) else "mixed"


def _unit(operator: str, left: int, right: int) -> int:
    if operator in "+-":
        return left or right if not (left and right) or left == right else -1
    if operator == "*":
        return left or right if not (left and right) else -1
    if not right:
        return left
    return 0 if left == right else -1


def as_vector(counts: dict[str, float], names: Sequence[str]) -> list[float]:
    assert set(counts) <= set(names)
    return [counts.get(name, 0.0) for name in names]
