from mwp.data.folds import Fold
from mwp.data.vocabulary import NUMBER, PAD, UNKNOWN, Vocabulary


def fold(**counts: int) -> Fold:
    return Fold(dataset="toys", scheme="paper", seed=0, index=0, train=(), valid=(), test=(), vocabulary=counts)


def test_special_tokens_come_first_then_the_most_frequent_then_the_alphabet() -> None:
    vocabulary = Vocabulary.build([fold(米=2, 苹果=5, NUM=9, 元=2)])
    assert vocabulary.tokens == ("[PAD]", "[UNK]", "NUM", "苹果", "元", "米")
    assert [vocabulary.tokens[index] for index in (PAD, UNKNOWN, NUMBER)] == ["[PAD]", "[UNK]", "NUM"]
    assert len(vocabulary) == 6


def test_counts_of_several_folds_add_up_to_the_minimum() -> None:
    folds = [fold(苹果=2, 米=1, 元=2), fold(苹果=1, 元=1, 只=2)]
    assert Vocabulary.build(folds, minimum=3).tokens[3:] == ("元", "苹果")


def test_number_is_known_even_where_no_fold_has_one() -> None:
    assert Vocabulary.build([]).encode(["NUM"]) == [NUMBER]


def test_a_word_that_is_not_known_is_encoded_as_unknown() -> None:
    vocabulary = Vocabulary.build([fold(苹果=5, 米=2)])
    assert vocabulary.encode(["苹果", "香蕉", "NUM", "米"]) == [3, UNKNOWN, NUMBER, 4]


def test_a_vocabulary_comes_back_from_its_json() -> None:
    vocabulary = Vocabulary.build([fold(苹果=5)])
    vocabulary.encode(["苹果"])
    assert Vocabulary.model_validate_json(vocabulary.model_dump_json()) == vocabulary
