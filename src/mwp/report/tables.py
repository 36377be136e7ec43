"""Tables in Markdown: what a terminal, a file and a page can all show."""

from collections.abc import Sequence

from mwp.evaluation.audit import ALL, AuditRow


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """First column to the left, figures to the right, cells padded so that it reads well as plain text."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    rule = [f"{'-' * widths[0]}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    lines = [_line(header, widths), f"| {' | '.join(rule)} |", *(_line(row, widths) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    return f"| {' | '.join(padded)} |"


def share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "-"


def audit_table(rows: Sequence[AuditRow]) -> str:
    """Coverage and soundness of each order over all problems."""
    return table(
        ("order", "problems", "found", "first sound", "sound in first 5", "first sound of found"),
        [
            (
                row.order,
                f"{row.problems:,}",
                share(row.found, row.problems),
                share(row.sound, row.problems),
                share(row.sound_at_5, row.problems),
                share(row.sound, row.found),
            )
            for row in rows
            if row.operators == ALL
        ],
    )


def operators_table(rows: Sequence[AuditRow]) -> str:
    """The share of problems whose first candidate is sound, by the operators of the ground truth."""
    orders = list(dict.fromkeys(row.order for row in rows))
    sound = {(row.order, row.operators): row for row in rows}
    counts = [row.operators for row in rows if row.order == orders[0] and row.operators != ALL]
    return table(
        ("operators", "problems", *orders),
        [
            (
                count,
                f"{sound[orders[0], count].problems:,}",
                *(share(sound[order, count].sound, sound[order, count].problems) for order in orders),
            )
            for count in counts
        ],
    )
