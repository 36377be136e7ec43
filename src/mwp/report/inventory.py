"""A data set's inventory as text."""

from collections.abc import Mapping

from mwp.data.inventory import Inventory
from mwp.report.tables import share, table


def inventory_text(inventory: Inventory) -> str:
    parts = [
        f"{inventory.problems:,} problems: {inventory.with_equation:,} with an equation, "
        f"{inventory.without_equation:,} with an answer only; {inventory.dropped:,} records dropped",
        _histogram("numbers in the text", inventory.numbers, inventory.problems),
        _histogram("answer", inventory.answers, inventory.problems),
    ]
    if inventory.with_equation:
        parts.append(_histogram("operators", inventory.operators, inventory.with_equation))
        parts.append(
            f"{inventory.duplicated_numbers:,} texts hold a number twice; "
            f"{inventory.wrong_equations:,} equations do not give the answer"
        )
    if inventory.drops:
        parts.append(_histogram("dropped because", inventory.drops, inventory.dropped))
    return "\n\n".join(parts)


def _histogram(name: str, counts: Mapping[int, int] | Mapping[str, int], total: int) -> str:
    rows = [(str(key), f"{count:,}", share(count, total)) for key, count in counts.items() if count]
    return table((name, "problems", "share"), rows)
