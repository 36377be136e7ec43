"""Infix symbols and their grammar against the printer and the parser of arith."""

import random

import pytest
import torch

from mwp.data.vocabulary import FIRST_NUMBER, symbol_token
from mwp.solvers.infix import END, OPEN, InfixGrammar, infix_symbols, prefix_tokens
from tests.solvers import plain_sequence
from tests.solvers.toys import toy_solution

LETTERS = {"+": 0, "*": 2, "^": 4, "x": FIRST_NUMBER, "(": OPEN, ")": OPEN + 1, ".": END}


@pytest.mark.parametrize("seed", range(50))
def test_symbols_are_what_the_printer_prints_and_can_be_read_back(seed: int) -> None:
    rng = random.Random(seed)
    solution = toy_solution(rng, 12, rng.randint(0, 9))
    assert infix_symbols(solution) == plain_sequence.infix(solution)
    assert prefix_tokens(infix_symbols(solution)) == tuple(map(symbol_token, solution))


@pytest.mark.parametrize("max_operators", range(5))
def test_the_grammar_allows_exactly_what_the_printer_prints(max_operators: int) -> None:
    grammar = InfixGrammar(max_operators)
    state, texts, reached = grammar.start(1, 1), [""], {""}
    longest = 0
    while texts:
        allowed = grammar.allowed(state)[:, 0]
        progress_for = [(row, letter) for row in range(len(texts)) for letter, s in LETTERS.items() if allowed[row, s]]
        texts = [texts[row] + letter for row, letter in progress_for]
        reached.update(texts)
        progress_for = [(row, letter) for row, letter in progress_for if letter != "."]
        longest += 1
        state = state.each(lambda value, rows=[row for row, _ in progress_for]: value[rows])
        grammar.advance(
            state, torch.tensor([[LETTERS[letter]] for _, letter in progress_for], dtype=torch.long).view(-1, 1)
        )
        texts = [text for text in texts if not text.endswith(".")]
    assert reached == plain_sequence.beginnings(max_operators)
    assert max(map(len, reached)) <= grammar.longest
    assert longest <= grammar.longest


@pytest.mark.parametrize("max_operators", [1, 2, 3, 4])
def test_the_length_limit_is_reached(max_operators: int) -> None:
    assert max(map(len, plain_sequence.beginnings(max_operators))) == InfixGrammar(max_operators).longest


def test_a_number_beyond_the_known_ones_is_refused() -> None:
    with pytest.raises(ValueError, match="a solution needs N32, but at most 32 numbers are known"):
        infix_symbols([FIRST_NUMBER + 32])
