"""The kept dictionary is jieba's own, and one that is damaged or that others could have written is not read."""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jieba
import pytest

from mwp.data import dictionary
from mwp.data.dictionary import COUNTS, DIGEST, Dictionary, load_dictionary

BUILT: Dictionary = jieba.Tokenizer.gen_pfdict(jieba.Tokenizer().get_dict_file())


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/mwp"


class Tokenizer(jieba.Tokenizer):
    """Counts how often it was asked to build its dictionary."""

    builds = 0

    def gen_pfdict(self, file: Any) -> Dictionary:
        self.builds += 1
        return jieba.Tokenizer.gen_pfdict(file)


def builds(version: str = jieba.__version__) -> int:
    """How often a dictionary was built to get one, which is always the same."""
    tokenizer = Tokenizer()
    words, total = load_dictionary(tokenizer, version)
    assert (list(words.items()), total) == (list(BUILT[0].items()), BUILT[1])
    return tokenizer.builds


def test_it_is_built_once_and_then_read_from_a_folder_of_the_users_own(cache: Path) -> None:
    assert [builds(), builds()] == [1, 0]
    (file,) = cache.iterdir()
    assert file.name.startswith(f"jieba-{jieba.__version__}-")
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert hashlib.sha256(file.read_bytes()[DIGEST:]).digest() == file.read_bytes()[:DIGEST]


def test_another_version_of_jieba_and_another_dictionary_have_their_own(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert [builds(), builds("0.43")] == [1, 1]
    (tmp_path / "words.txt").write_text("苹果 3 n\n", encoding="utf8")
    for _ in range(2):
        words, total = load_dictionary(jieba.Tokenizer(str(tmp_path / "words.txt")), jieba.__version__)
        assert (words, total) == ({"苹": 0, "苹果": 3}, 3)
    assert len(list(cache.iterdir())) == 3
    assert builds() == 0


def planted() -> bytes:
    """Whole by its digest, and with no word in it."""
    rest = COUNTS.pack(1, 0)
    return hashlib.sha256(rest).digest() + rest


def flipped(content: bytes) -> bytes:
    return content[:5_000_000] + bytes([content[5_000_000] ^ 1]) + content[5_000_001:]


@pytest.mark.parametrize(
    "damage",
    [lambda whole: whole[:1000], lambda whole: b"", lambda whole: b"no dictionary", flipped],
    ids=["cut", "empty", "garbage", "one bit"],
)
def test_a_damaged_one_is_built_anew_and_replaced(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    builds()
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert [builds(), builds()] == [1, 0]
    assert (list(cache.iterdir()), file.read_bytes()) == ([file], whole)


def test_one_that_others_can_write_or_that_lies_elsewhere_is_replaced_unread(cache: Path, tmp_path: Path) -> None:
    builds()
    (file,) = cache.iterdir()
    for mode in (0o664, 0o646, 0o666):
        file.write_bytes(planted())
        file.chmod(mode)
        assert [builds(), builds()] == [1, 0]
    file.unlink()
    (tmp_path / "planted").write_bytes(planted())
    file.symlink_to(tmp_path / "planted")
    assert [builds(), builds()] == [1, 0]
    assert (tmp_path / "planted").read_bytes() == planted()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners here")
def test_one_of_another_user_is_not_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds()
    (file,) = cache.iterdir()
    file.write_bytes(planted())
    me = os.getuid()
    monkeypatch.setattr(dictionary.os, "getuid", lambda: me + 1)
    assert [builds(), builds()] == [1, 1]
    assert file.read_bytes() == planted()


@pytest.mark.parametrize("kind", ["writable", "link", "file", "none"])
def test_a_folder_that_is_not_the_users_own_is_not_used(cache: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "other").mkdir()
    cache.parent.mkdir()
    if kind == "writable":
        cache.mkdir()
        cache.chmod(0o777)
    elif kind == "link":
        cache.symlink_to(tmp_path / "other")
    elif kind == "file":
        cache.touch()
    else:
        cache.parent.rmdir()
        cache.parent.touch()
    assert [builds(), builds()] == [1, 1]
    assert not list((tmp_path / "other").iterdir())
    assert kind != "writable" or not list(cache.iterdir())


def test_a_full_disk_leaves_nothing_and_says_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert [builds(), builds()] == [1, 1]
    assert list(cache.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("base", ["", "relative"])
def test_without_an_absolute_folder_for_caches_it_is_that_of_the_home(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert [builds(), builds()] == [1, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
    assert len(list((tmp_path / "home/.cache/mwp").iterdir())) == 1
