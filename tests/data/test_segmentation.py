import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mwp.data.mapping import find_numbers
from mwp.data.problems import NUMBER_TOKEN
from mwp.data.segmentation import segment


def tokens(text: str) -> list[str]:
    return list(segment(text, find_numbers(text)))


def test_words_are_apart_and_every_numeral_is_one_token() -> None:
    assert tokens("小刚的体重是28.4千克，看了全书的3(1/6)") == (
        ["小刚", "的", "体重", "是", "NUM", "千克", "，", "看", "了", "全书", "的", "NUM"]
    )


def test_space_is_no_token() -> None:
    assert tokens("苹果 3 \u3000个") == ["苹果", "NUM", "个"]
    assert tokens("") == []


def test_the_word_num_of_a_text_is_no_number() -> None:
    assert tokens("NUM有5个") == ["num", "有", "NUM", "个"]


@given(st.lists(st.sampled_from(["小明", "有", "苹果", "12", "3.5%", "2(1/3)", " NUM ", "，", " ", "\u2028"])))
def test_there_are_as_many_number_tokens_as_numbers(pieces: list[str]) -> None:
    text = " ".join(pieces)
    numbers = find_numbers(text)
    assert segment(text, numbers).count(NUMBER_TOKEN) == len(numbers)


def test_words_are_the_same_with_and_without_a_cached_dictionary_and_with_a_broken_one(tmp_path: Path) -> None:
    code = "from mwp.data.segmentation import segment; print(segment('南京市长江大桥长有多少米', ()))"
    command, environment = [sys.executable, "-c", code], {**os.environ, "TMPDIR": str(tmp_path)}

    def words() -> str:
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    without = words()
    cache = tmp_path / "jieba.cache"
    whole = cache.read_bytes()
    assert words() == without
    for broken in (whole[:1000], b"", b"no cache"):
        cache.write_bytes(broken)
        assert words() == without
