"""The cost of a grid as a table."""

from collections.abc import Sequence

from mwp.report.tables import table


def costs_table(rows: Sequence[tuple[str, int, int, float | None]]) -> str:
    """Rows of (system, fold, training problems, seconds or None)."""
    return table(
        ("system", "fold", "problems", "estimate"),
        [
            (name, str(fold), f"{problems:,}", duration(seconds) if seconds is not None else "unknown")
            for name, fold, problems, seconds in rows
        ],
    )


def duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
