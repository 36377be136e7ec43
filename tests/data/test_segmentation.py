import marshal
import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mwp.data.problems import NUMBER_TOKEN
from mwp.data.text import find_numbers, segment


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


def test_what_lies_in_the_temporary_folder_has_no_say_in_the_words(tmp_path: Path) -> None:
    """Where jieba, and everybody on the machine, may put a dictionary."""
    planted = marshal.dumps(({"南京市长江": 9_000_000, "大桥长有": 9_000_000}, 20_000_000))
    (tmp_path / "jieba.cache").write_bytes(planted)
    code = "from mwp.data.text import segment; print(*segment('南京市长江大桥长有多少米', ()))"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "own")}
    for _ in ("built", "kept"):
        result = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf8", check=True
        )
        assert (result.stdout, result.stderr) == ("南京市 长江大桥 长有 多少 米\n", "")
    assert (tmp_path / "jieba.cache").read_bytes() == planted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jieba.cache", "own"]
