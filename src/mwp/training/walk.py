"""The random walk of LBF: where no single change fixes a draft, wander among trees of its shape until one does."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from random import Random

from mwp.training.buffer import Solution
from mwp.training.draft_tree import Draft, Table, same_kind
from mwp.training.fixing import Fix, one_fix

# The model's tables for some solutions, one for each token; the second argument holds the index of each one's draft.
Tables = Callable[[Sequence[Solution], Sequence[int]], Sequence[tuple[Table, ...]]]

ROUNDS = 50


def walk_all(drafts: Sequence[Draft], tables: Tables, rngs: Sequence[Random], rounds: int = ROUNDS) -> list[Fix | None]:
    """For each draft its own fix, else that of the first tree of its walk which has one.

    The change of a fix is counted from that tree. What a draft gets depends on its own generator, not on its company.
    """
    fixes = [one_fix(draft) for draft in drafts]
    places = list(drafts)
    for _ in range(rounds):
        unsolved = [owner for owner, fix in enumerate(fixes) if fix is None]
        steps = {owner: resampled(places[owner], rngs[owner]) for owner in unsolved}
        moves = {owner: tokens for owner, tokens in steps.items() if tokens != places[owner].tokens}
        for owner, proposal in _scored(places, moves, tables).items():
            if _accepted(places[owner], proposal, rngs[owner]):
                places[owner] = proposal
                fixes[owner] = one_fix(proposal)
    return fixes


def _scored(places: Sequence[Draft], moves: dict[int, Solution], tables: Tables) -> dict[int, Draft]:
    """The moves of all problems as drafts, by one call of the model."""
    if not moves:
        return {}
    scored = zip(moves.items(), tables(list(moves.values()), list(moves)), strict=True)
    return {owner: replace(places[owner], tokens=tokens, tables=found) for (owner, tokens), found in scored}


def resampled(draft: Draft, rng: Random) -> Solution:
    """|N(0, 1)| of the tokens, one at least, drawn anew from the model; operators stay operators, leaves leaves."""
    count = min(max(1, round(abs(rng.gauss(0, 1)))), len(draft.tokens))
    tokens = list(draft.tokens)
    for place in rng.sample(range(len(tokens)), count):
        tokens[place] = _drawn(same_kind(tokens[place], draft.tables[place]), draft.tables[place], rng)
    return tuple(tokens)


def _drawn(symbols: Sequence[str], table: Table, rng: Random) -> str:
    # Relative to the greatest, so that the probabilities of symbols that are all improbable do not vanish together.
    top = max(table[symbol] for symbol in symbols)
    return rng.choices(symbols, [exp(table[symbol] - top) for symbol in symbols])[0]


def _accepted(old: Draft, new: Draft, rng: Random) -> bool:
    """The rule of Metropolis: always if the new tree is at least as probable, else as often as the ratio says."""
    return rng.random() < exp(min(0.0, new.log_prob - old.log_prob))
