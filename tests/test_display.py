"""What a person is shown, and where nothing is."""

import pytest
from rich.console import Console

from mwp import display
from mwp.display import html_table, shows_bars, table, with_bar


def test_a_table_reads_well_as_plain_text_and_shows_cells_as_text_in_a_notebook() -> None:
    rows = [("a", "1"), ("long", "10")]
    assert table(("x", "count"), rows).splitlines() == [
        "| x    | count |",
        "| ---- | ----: |",
        "| a    |     1 |",
        "| long |    10 |",
    ]
    html = html_table(("x",), [("<b>",)], "1 < 2")
    assert (
        html
        == "<p>1 &lt; 2</p><table><thead><tr><th>x</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>"
    )


def test_a_bar_is_silent_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert not shows_bars()
    assert list(with_bar(range(3), 3, "searching")) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


def test_a_bar_passes_everything_on_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Console, "is_terminal", True)
    assert shows_bars()
    assert list(with_bar(range(3), 3, "searching")) == [0, 1, 2]
    printed = capsys.readouterr()
    assert "searching" in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("widgets", [True, False])
def test_a_notebook_has_bars_where_it_has_widgets(monkeypatch: pytest.MonkeyPatch, widgets: bool) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr(display, "find_spec", lambda name: object() if widgets and name == "ipywidgets" else None)
    assert shows_bars() is widgets
