"""What `mwp serve` bears: 200 clients at once for a minute, on the newest model or the one named.

python -m benchmarks.serve [MODEL] [SECONDS]
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median, quantiles

import aiohttp
import psutil

CLIENTS = 200
TEXTS = (
    "一本书有120页，小明每天看15页，几天看完？",
    "每盒12支笔，3盒共有多少支？",
    "一块长方形菜地长62米，宽29米，平均每平方米收白菜5.5千克，一共可收白菜多少千克？",
    "修一条路，第一天修了全长的1/3，第二天修了20%，还剩140米，这条路长多少米？",
)


@dataclass
class Load:
    """What the clients saw."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MB of the server, once a second


async def run_load(address: str, server: int, seconds: float, clients: int = CLIENTS) -> Load:
    """Every client asks again as soon as it has its answer."""
    load, end = Load(), time.monotonic() + seconds
    connector = aiohttp.TCPConnector(limit=clients)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(60)) as session:
        options = [_ask(session, address, position, end, load) for position in range(clients)]
        await asyncio.gather(_weigh(server, end, load), *options)
    return load


async def _ask(session: aiohttp.ClientSession, address: str, position: int, end: float, load: Load) -> None:
    while time.monotonic() < end:
        started = time.monotonic()
        async with session.post(f"{address}/solve", json={"text": TEXTS[position % len(TEXTS)]}) as answer:
            await answer.read()
        load.statuses[answer.status] += 1
        load.seconds.append(time.monotonic() - started)


async def _weigh(server: int, end: float, load: Load) -> None:
    while time.monotonic() < end:
        load.memory.append(psutil.Process(server).memory_info().rss / 2**20)
        await asyncio.sleep(1)


def report(load: Load, seconds: float) -> str:
    half = len(load.memory) // 2
    return (
        f"{CLIENTS} clients, {seconds:.0f} s: {sum(load.statuses.values()):,} answers, {dict(load.statuses)}, "
        f"{sum(load.statuses.values()) / seconds:.0f} a second; median {median(load.seconds):.2f} s, "
        f"99% within {quantiles(load.seconds, n=100)[-1]:.2f} s; "
        f"server {load.memory[0]:.0f} MB at first, {median(load.memory[:half]):.0f} in the first half, "
        f"{median(load.memory[half:]):.0f} in the second, {load.memory[-1]:.0f} at the end"
    )


def main(model: str | None = None, seconds: float = 60) -> None:
    command = [sys.executable, "-m", "mwp.cli.app", "serve", "--port", "0"]
    with subprocess.Popen(
        command + (["--model", model] if model else []), stdout=subprocess.PIPE, text=True, env=os.environ
    ) as server:
        try:
            assert server.stdout is not None
            ready = re.match(r"(http://\S+) ", server.stdout.readline())
            assert ready, "mwp serve ended before it served"
            print(report(asyncio.run(run_load(ready[1], server.pid, seconds)), seconds))
        finally:
            server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(float, sys.argv[2:3]))
