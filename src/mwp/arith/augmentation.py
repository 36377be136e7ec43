"""Solution augmentation: the paper's four rewrite rules, and corrupted solutions for the discriminator's negatives.

The paper states the rules on flat strings and forbids a swap where `*` or `/` is connected to a term. On trees a term
is a whole subtree, so `N0*N1+N2` can only become `N2+N0*N1` and the side conditions hold by themselves.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from mwp.arith.expressions import OPERATORS, Expression, Operation

# The last operator and the one before it, whose steps may change places: A-B+C, A+B-C, A-B-C, A/B*C, A*B/C, A/B/C.
_EXCHANGEABLE = {("+", "-"), ("-", "+"), ("-", "-"), ("*", "/"), ("/", "*"), ("/", "/")}


def rewrites(expression: Expression) -> Iterator[Expression]:
    """The trees that one application of one rule makes, at any node; distinct, and never `expression` itself."""
    if not isinstance(expression, Operation):
        return
    yield from (result for result in _rewrites_of_root(expression) if result != expression)
    for left in rewrites(expression.left):
        yield Operation(expression.operator, left, expression.right)
    for right in rewrites(expression.right):
        yield Operation(expression.operator, expression.left, right)


def _rewrites_of_root(node: Operation) -> Iterator[Expression]:
    if node.operator in "+*":
        yield Operation(node.operator, node.right, node.left)
    inner = node.left
    if isinstance(inner, Operation) and (node.operator, inner.operator) in _EXCHANGEABLE:
        yield Operation(inner.operator, Operation(node.operator, inner.left, node.right), inner.right)


def variants(expression: Expression, limit: int) -> list[Expression]:
    """At most `limit` solutions that the rules make of `expression`, itself excluded, fewest steps first."""
    return list(islice(_closure(expression), max(limit, 0)))


def _closure(expression: Expression) -> Iterator[Expression]:
    """Breadth first and lazy: 21 addends have far too many orders to list."""
    seen = {expression}
    pending = deque([expression])
    while pending:
        for variant in rewrites(pending.popleft()):
            if variant not in seen:
                seen.add(variant)
                pending.append(variant)
                yield variant


def corrupt(
    tokens: Sequence[str],
    leaves: Sequence[str],
    rate: float,
    rng: Random,
    operators: Sequence[str] = ("+", "-", "*", "/"),
) -> tuple[str, ...]:
    """Change each prefix token with probability `rate` (the paper's lambda), and one at least.

    An operator becomes another of `operators` and a leaf another of `leaves`, so the shape of the tree stays. Whether
    the value is wrong is for the caller to see.
    """
    replacements = [_others(token, operators if token in OPERATORS else leaves) for token in tokens]
    changeable = [position for position, others in enumerate(replacements) if others]
    if not changeable:
        raise ValueError(f"no token of {' '.join(tokens)!r} can be changed: no other leaf or operator is given")
    chosen = [position for position in changeable if rng.random() < rate] or [rng.choice(changeable)]
    corrupted = list(tokens)
    for position in chosen:
        corrupted[position] = rng.choice(replacements[position])
    return tuple(corrupted)


def _others(token: str, choices: Sequence[str]) -> list[str]:
    return [choice for choice in choices if choice != token]
