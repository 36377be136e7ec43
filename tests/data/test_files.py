import os
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import ValidationError

from mwp.data.files import output_file, read_records, read_text, write_bytes, write_json, write_records, write_text
from mwp.data.problems import Drop, Number, Problem
from mwp.errors import BadInput

from .toys import toy

TREES = toy("每隔2米种一棵树，一共种了11棵，长多少米．", "20", "(11-1)*2")


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "problems.jsonl"
    odd = toy("2个\u2028苹果\x85和\u200b3(1/3)个\r梨", "7/3", "2+3(1/3)")
    write_records(path, [TREES, odd])
    assert read_records(path, Problem) == [TREES, odd]
    assert [line.count("{") > 0 for line in path.read_text(encoding="utf8").split("\n")] == [True, True, False]


def test_no_records_make_an_empty_file(tmp_path: Path) -> None:
    write_records(tmp_path / "drops.jsonl", [])
    assert read_records(tmp_path / "drops.jsonl", Drop) == []


def test_a_failed_writer_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half" * 10_000 + "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_and_bytes_are_written_as_given(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"名": 1})
    assert (tmp_path / "a.json").read_text(encoding="utf8") == '{\n  "名": 1\n}\n'
    write_bytes(tmp_path / "a.bin", b"\xff\r\n\x00")
    assert (tmp_path / "a.bin").read_bytes() == b"\xff\r\n\x00"


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "drops.jsonl"
    path.write_text('{"id": "1", "reason": "no text"}\n{"id": "2"}\n', encoding="utf8")
    with pytest.raises(BadInput) as error:
        read_records(path, Drop)
    assert str(error.value) == f"{path}, line 2: no Drop record: reason: Field required"


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        write_text(tmp_path, "x")
    assert str(error.value) == f"cannot write {tmp_path}: it is a folder; give the name of a file"
    (tmp_path / "file").touch()
    with pytest.raises(BadInput) as error:
        write_text(tmp_path / "file" / "a.txt", "x")
    assert str(error.value) == f"cannot write {tmp_path}/file/a.txt: File exists; choose a folder that can be written"


def test_a_byte_order_mark_is_no_text_and_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_text(path) == "abc"
    path.write_bytes("苹果".encode("gbk"))
    with pytest.raises(BadInput) as error:
        read_text(path)
    assert str(error.value) == f"{path} is not UTF-8 text (byte 2); give a JSON, JSON lines or CSV file"


@pytest.mark.parametrize("value", ["7/2", "-7/2", "20", "0.125", 3, Fraction(1, 3)])
def test_a_rational_is_written_exactly(value: object) -> None:
    number = Number.model_validate({"spelling": "", "value": value, "start": 0, "end": 0})
    assert number.value == Fraction(value)  # type: ignore[call-overload]
    assert Number.model_validate_json(number.model_dump_json()) == number


@pytest.mark.parametrize("value", ["1/0", "1/00", "1e999999999", "abc", "", None, [1], 0.5])
def test_what_is_no_rational_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="expected a rational such as 20 or 7/2, found"):
        Number.model_validate({"spelling": "", "value": value, "start": 0, "end": 0})


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_what_is_no_file_is_never_replaced_by_one(tmp_path: Path, kind: str) -> None:
    position = tmp_path / "place"
    if kind == "pipe":
        os.mkfifo(position)
    else:
        position.symlink_to("/dev/full")
    before = position.stat()
    for write in (lambda: write_text(position, "x"), lambda: output_file(position)):
        with pytest.raises(BadInput) as error:
            write()
        assert str(error.value) == f"cannot write {position}: it is a device or pipe; give the name of a file"
    assert os.path.samestat(before, position.stat())
    assert list(tmp_path.iterdir()) == [position]


def test_a_link_in_a_circle_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "a")
    with pytest.raises(BadInput, match=r"cannot write .*/a: Too many levels of symbolic links; choose a folder"):
        write_text(tmp_path / "a", "x")


def test_a_users_link_leads_to_its_target_and_another_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "cache/target", tmp_path / "link"
    write_text(target, "old")
    link.symlink_to("cache/target")
    write_text(output_file(link), "new")
    assert (link.is_symlink(), target.read_text()) == (True, "new")
    write_text(link, "own")  # as of a stage whose output DVC has linked to its cache
    assert (link.is_symlink(), link.read_text(), target.read_text()) == (False, "own", "new")
    (tmp_path / "dangling").symlink_to(tmp_path / "later")
    write_text(output_file(tmp_path / "dangling"), "new")
    assert (tmp_path / "later").read_text() == "new"
