"""Random expressions, and the number of examples that keeps these tests short."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from mwp.arith.expressions import OPERATORS, Constant, Expression, Operation, Quantity

many = settings(max_examples=60, deadline=None, derandomize=True, database=None)
few = settings(max_examples=25, deadline=None, derandomize=True, database=None)

quantities = st.builds(Quantity, st.integers(0, 4))
decimals = st.builds(
    lambda digits, positions: Fraction(digits, 10**positions), st.integers(0, 99999), st.integers(0, 4)
)
thirds = st.builds(lambda whole, rest: Fraction(3 * whole + rest, 3), st.integers(0, 20), st.integers(1, 2))
numbers = st.lists(st.fractions(-20, 20, max_denominator=12), min_size=5, max_size=5)


def expressions(
    constants: st.SearchStrategy[Fraction] = decimals,
    operators: tuple[str, ...] = OPERATORS,
    max_leaves: int = 8,
) -> st.SearchStrategy[Expression]:
    return st.recursive(
        quantities | st.builds(Constant, constants),
        lambda inside: st.builds(Operation, st.sampled_from(operators), inside, inside),
        max_leaves=max_leaves,
    )


def with_small_powers(max_leaves: int = 8) -> st.SearchStrategy[Expression]:
    """Powers of leaves only, so that no value comes near the size at which evaluation gives up."""
    exponents = st.builds(Constant, st.sampled_from([-3, -2, -1, 1, 2, 3]).map(Fraction))
    leaves = quantities | st.builds(Constant, decimals)
    return st.recursive(
        leaves | st.builds(Operation, st.just("^"), leaves, exponents),
        lambda inside: st.builds(Operation, st.sampled_from("+-*/"), inside, inside),
        max_leaves=max_leaves,
    )
