"""docs/api.md says what the docstrings say."""

from tools.api_docs import TARGET, page


def test_the_page_is_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf8") == page(), "make api-docs"


def test_no_line_is_long() -> None:
    assert not [line for line in page().splitlines() if len(line) > 120 and not line.startswith("|")]
