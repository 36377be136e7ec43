"""A fingerprint changes with whatever the result depends on."""

from pathlib import Path

from mwp.pipeline.plan import fingerprint


def test_params_and_inputs_change_it_and_nothing_else_does(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text("a", encoding="utf8")
    first = fingerprint({"rate": 0.1}, [data])
    assert fingerprint({"rate": 0.1}, [data]) == first
    assert fingerprint({"rate": 0.2}, [data]) != first
    data.write_text("b", encoding="utf8")
    assert fingerprint({"rate": 0.1}, [data]) != first
