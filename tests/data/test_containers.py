from pathlib import Path

import pytest

from mwp.data.formats import read_objects
from mwp.errors import BadInput


def write(folder: Path, content: str | bytes, name: str = "problems.json") -> Path:
    path = folder / name
    path.write_bytes(content.encode("utf8") if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadInput) as error:
        read_objects(path)
    message = str(error.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def test_array_lines_and_pretty_printed_objects_give_the_same_records(tmp_path: Path) -> None:
    array = '[{"id": "1", "ans": "20"}, {"id": "2", "ans": "7"}]'
    lines = '{"id": "1", "ans": "20"}\n{"id": "2", "ans": "7"}\n'
    pretty = '{\n  "id": "1",\n  "ans": "20"\n}\n{\n  "id": "2",\n  "ans": "7"\n}'
    expected = [{"id": "1", "ans": "20"}, {"id": "2", "ans": "7"}]
    for content in (array, lines, pretty, "\ufeff" + array, "\n \n" + lines, lines.replace("\n", "\r\n")):
        assert read_objects(write(tmp_path, content)) == expected


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    digits = "123456789012345678901234567890"
    content = f'[{{"id": 7, "ans": 0.222222222222, "answer": 4e-07, "big": {digits}, "none": NaN}}]'
    record = {"id": "7", "ans": "0.222222222222", "answer": "4e-07", "big": digits, "none": "NaN"}
    assert read_objects(write(tmp_path, content)) == [record]


def test_csv_is_known_by_its_ending_or_its_header(tmp_path: Path) -> None:
    content = ',answer,id,ori_text\n0,240.0,11415,"积 是 48.0 ， 再 乘 5.0"\n'
    expected = [{"": "0", "answer": "240.0", "id": "11415", "ori_text": "积 是 48.0 ， 再 乘 5.0"}]
    assert read_objects(write(tmp_path, content, "val.csv")) == expected
    assert read_objects(write(tmp_path, content, "val.txt")) == expected
    assert read_objects(write(tmp_path, "name\n小明\n", "names.CSV")) == [{"name": "小明"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "FILE is empty; expected a JSON array, JSON lines or a CSV file"),
        (" \n\t\n", "FILE is empty; expected a JSON array, JSON lines or a CSV file"),
        ("[]", "FILE holds no records; give a file with at least one problem"),
        (b"\x89PNG\r\n\x1a\n", "FILE is not UTF-8 text (byte 0); give a JSON, JSON lines or CSV file"),
        ("\n小明有3个苹果", "FILE, line 2: expected a JSON array, JSON lines or a CSV file, found '小明有3个苹果'"),
        ('[{"id": 1}, 5]', "FILE, item 2: expected a JSON object with the keys of a problem, found '5'"),
        ('[{"id": 1}] x', "FILE, line 1: expected the end of the file after the JSON array, found 'x'"),
        (
            '[{"id": "1"},\n{"id": "2", "ans',
            "FILE, line 2: broken JSON: Unterminated string starting at; get the file again or mend that line",
        ),
        (
            '{"id": "1"}\n{"id": "2"',
            "FILE, line 2: broken JSON: Expecting ',' delimiter; get the file again or mend that line",
        ),
        (
            '{"id": "1"},\n{"id": "2"}',
            'FILE, line 1: expected a JSON object, found \',\\n{"id": "2"}\'; give a JSON array or one object a line',
        ),
        ("[" * 100_000, "FILE: JSON nested too deep; expected a list of flat objects"),
        (
            "id,ans\n1,2\n3\n",
            "FILE, line 3: expected 2 cells as in the header, found 1; get the file again or mend that line",
        ),
        (
            "id,ans\n1,2,3,4\n",
            "FILE, line 2: expected 2 cells as in the header, found 4; get the file again or mend that line",
        ),
        (
            'id,ans\n1,"2',
            "FILE, line 2: broken CSV: unexpected end of data; get the file again or mend that line",
        ),
        ("id,ans\n", "FILE holds no records; give a file with at least one problem"),
    ],
)
def test_what_is_no_list_of_objects_is_refused_in_one_line(content: str | bytes, message: str, tmp_path: Path) -> None:
    assert refusal(write(tmp_path, content)) == message


def test_an_absent_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "absent.json") == "cannot read FILE: No such file or directory"
    assert refusal(tmp_path) == "cannot read FILE: Is a directory"
