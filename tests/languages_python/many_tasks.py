"""Makes many tasks that wait, or tasks with long names.

many_tasks.py TASKS LENGTH

SPDX-License-Identifier: BSD-2-Clause
"""
import asyncio
import os
import sys


async def waits(future):
    await future


async def main(count, length):
    future = asyncio.get_running_loop().create_future()
    tasks = [asyncio.create_task(waits(future), name=("%d " % n).ljust(
        length, "x")) for n in range(count)]
    await asyncio.sleep(0)
    os.write(1, b"end\n")
    sys.stdin.read()
    del tasks

asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
