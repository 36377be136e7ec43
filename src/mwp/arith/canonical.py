"""One name for all solutions that are equal modulo commutativity and associativity."""

from mwp.arith.expressions import Expression, Operation
from mwp.arith.prefix import leaf_token

_SUM = ("+", "-")
_PRODUCT = ("*", "/")


def canonical(expression: Expression) -> str:
    """A sum as its sorted signed terms, a product as its sorted factors and divisors: `N0-(N1-N2)` is `(+N0+N2-N1)`.

    Nested sums and nested products are flattened; nothing cancels, nothing is multiplied out, `^` stays as it is.
    """
    if not isinstance(expression, Operation):
        return leaf_token(expression)
    if expression.operator == "^":
        return f"({canonical(expression.left)}^{canonical(expression.right)})"
    family = _SUM if expression.operator in _SUM else _PRODUCT
    return f"({''.join(sorted(_terms(expression, *family)))})"


def _terms(expression: Expression, direct: str, inverse: str) -> list[str]:
    """The terms of a sum or the factors of a product, each behind the operator that brings it in."""
    terms = []
    pending = [(expression, False)]
    while pending:
        node, inverted = pending.pop()
        if isinstance(node, Operation) and node.operator in (direct, inverse):
            pending.append((node.left, inverted))
            pending.append((node.right, inverted != (node.operator == inverse)))
        else:
            terms.append((inverse if inverted else direct) + canonical(node))
    return terms
