"""Makes tasks whose chains are generated, and prints what Python says of them.

tasks.py SEED TASKS

Each task awaits functions of many kinds, to a depth of its own, and waits.  For
each of them there is a line "task ID NAME STATE", and a line for each function,
the innermost first: name, file and line, with tabs between; then "end".  It
says the same again for each line that it reads.

SPDX-License-Identifier: BSD-2-Clause
"""
import asyncio
import contextlib
import gc
import os
import random
import sys
import types


class Shop:
    """Awaits by methods."""

    def __init__(self, way, n=0):
        self.way = way
        self.n = n

    async def method(self):
        return await self.way.go(self.n)

    def __await__(self):
        return self.way.go(self.n).__await__()

    async def __aenter__(self):
        return await self.way.go(self.n)

    async def __aexit__(self, *args):
        return None

    def __aiter__(self):
        return self

    async def __anext__(self):
        return await self.way.go(self.n)


class Given:
    """Is awaited by a generator of its own."""

    def __init__(self, way, n):
        self.way = way
        self.n = n

    def __await__(self):
        yield from self.way.go(self.n).__await__()


async def by_function(way, n):
    await way.go(n)


async def by_method(way, n):
    await Shop(way, n).method()


async def by_object(way, n):
    await Shop(way, n)


async def by_generator(way, n):
    await Given(way, n)


async def by_with(way, n):
    async with Shop(way, n):
        pass


async def by_for(way, n):
    async for _ in Shop(way, n):
        pass


async def giving(way, n):
    for i in range(3):
        if i == 1:
            await way.go(n)
        yield i


async def by_async_generator(way, n):
    async for _ in giving(way, n):
        pass


async def by_next(way, n):
    all_of = giving(way, n)
    await all_of.__anext__()
    await all_of.asend(None)


@contextlib.asynccontextmanager
async def opened(way, n):
    await way.go(n)
    yield


async def by_manager(way, n):
    async with opened(way, n):
        pass


@types.coroutine
def old_style(way, n):
    yield from way.go(n).__await__()


async def by_old_style(way, n):
    await old_style(way, n)


async def by_exception(way, n):
    try:
        raise ValueError(n)
    except ValueError:
        await way.go(n)
    finally:
        n = 0


async def by_expression(way, n):
    return [1, (2, await way.go(n)), {3: 4}]


async def größe(way, n):
    await way.go(n)


STEPS = [by_function, by_method, by_object, by_generator, by_with, by_for,
         by_async_generator, by_next, by_manager, by_old_style, by_exception,
         by_expression, größe]


def numbers():
    yield 1
    yield 2


@types.coroutine
def gives():
    for _ in numbers():
        yield


async def takes():
    await gives()


async def wait_for_future(way):
    await asyncio.get_running_loop().create_future()


async def wait_asleep(way):
    await asyncio.sleep(100000)


async def wait_for_event(way):
    await asyncio.Event().wait()


async def wait_in_queue(way):
    await asyncio.Queue().get()


async def wait_for_lock(way):
    lock = asyncio.Lock()
    await lock.acquire()
    await lock.acquire()


async def wait_in_time(way):
    await asyncio.wait_for(asyncio.get_running_loop().create_future(), 100000)


async def wait_for_all(way):
    loop = asyncio.get_running_loop()
    await asyncio.gather(loop.create_future(), loop.create_future())


async def wait_for_task(way):
    await way.first


ENDS = [wait_for_future, wait_asleep, wait_for_event, wait_in_queue,
        wait_for_lock, wait_in_time, wait_for_all, wait_for_task]


class Way:
    """A generated chain."""

    def __init__(self, seed, first):
        self.random = random.Random(seed)
        self.first = first

    async def go(self, n):
        if n == 0:
            return await self.random.choice(ENDS)(self)
        return await self.random.choice(STEPS)(self, n - 1)


def next_of(one):
    """Gives what a coroutine awaits, though Python may not say it."""
    for name in ("cr_await", "gi_yieldfrom", "ag_await"):
        if hasattr(one, name):
            return getattr(one, name)
    for inner in gc.get_referents(one):
        if any(hasattr(inner, name) for name in
               ("cr_frame", "gi_frame", "ag_frame")):
            return inner
    return None


def frame_of(one):
    for name in ("cr_frame", "gi_frame", "ag_frame"):
        if hasattr(one, name):
            return getattr(one, name)
    return None


def describe(task):
    name = task.get_name()
    waiter = None
    lines = []
    one = task.get_coro()
    while one is not None:
        frame = frame_of(one)
        if frame is not None:
            code = frame.f_code
            lines.append("%s\t%s\t%d" % (getattr(
                code, "co_qualname", code.co_name), code.co_filename,
                frame.f_lineno))
        elif type(one).__name__ == "FutureIter":
            waiter = [w for w in gc.get_referents(one)
                      if isinstance(w, asyncio.Future)][0]
        one = next_of(one)
    state = "pending" if waiter is None or waiter.done() else \
        "wait_for " + type(waiter).__name__
    return "task %d %s %s" % (id(task), name, state), lines[::-1]


def say_all():
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            head, lines = describe(task)
            print(head)
            for line in lines:
                print(line)
    print("end", flush=True)


async def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    tasks = [asyncio.create_task(asyncio.sleep(100000), name="first")]
    for n in range(count - 1):
        way = Way(seed + n, tasks[0])
        tasks.append(asyncio.create_task(way.go(way.random.randrange(12))))
    for _ in range(3):
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    # A task that has not begun, and one whose future is done.
    late = asyncio.create_task(by_function(Way(0, None), 3), name="löte")
    done = asyncio.get_running_loop().create_future()
    ready = asyncio.create_task(asyncio.wait_for(done, None), name="ready")
    other = asyncio.get_running_loop().create_future()

    async def waits():
        await other
    # One that has given up its turn, while a generator is on its stack.
    tasks.append(asyncio.create_task(takes(), name="takes"))
    tasks += [late, ready, asyncio.create_task(waits(), name="other")]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(waits(), name="not begun"))
    other.set_result(1)
    say_all()
    while sys.stdin.readline():
        say_all()
    os._exit(0)


sys.stdout.reconfigure(encoding="utf-8")
asyncio.run(main())
