"""The four rewrite rules of the paper's solution augmentation, on full and partial solutions.

The paper states them on flat strings and forbids a swap where `*` or `/` is connected to a term. On trees a term is a
whole subtree, so `N0*N1+N2` can only become `N2+N0*N1` and the side conditions hold by themselves.
"""

from collections import deque
from collections.abc import Iterator
from itertools import islice

from mwp.arith.expressions import Expression, Operation

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


def variants(expression: Expression, cap: int) -> list[Expression]:
    """At most `cap` solutions that the rules make of `expression`, without itself, fewest steps first."""
    return list(islice(_closure(expression), max(cap, 0)))


def _closure(expression: Expression) -> Iterator[Expression]:
    """Breadth first and lazy: 21 addends have more orders than anybody could wait for."""
    seen = {expression}
    pending = deque([expression])
    while pending:
        for variant in rewrites(pending.popleft()):
            if variant not in seen:
                seen.add(variant)
                pending.append(variant)
                yield variant
