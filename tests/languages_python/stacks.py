"""Makes threads whose stacks are generated, and prints what Python says of them.

stacks.py SEED THREADS

Each thread calls functions of many kinds, to a depth of its own, and blocks.
For each of them there is a line "thread TID", and a line for each frame, the
innermost first: function, file and line, with tabs between.

SPDX-License-Identifier: BSD-2-Clause
"""
import asyncio
import contextlib
import ctypes
import functools
import os
import random
import sys
import threading
import time

never = threading.Lock()
never.acquire()
tids = {}


class Shop:
    """Calls by methods."""

    def __init__(self, way):
        self.way = way

    def method(self, n):
        return self.way.go(n)

    @classmethod
    def of_class(cls, way, n):
        return way.go(n)

    @staticmethod
    def of_none(way, n):
        return way.go(n)

    @property
    def attribute(self):
        return self.way.go(self.n)

    def __getitem__(self, n):
        return self.way.go(n)

    def __enter__(self):
        return self.way.go(self.n)

    def __exit__(self, *args):
        return None


def by_method(way, n):
    Shop(way).method(n)


def by_class(way, n):
    Shop.of_class(way, n)


def by_static(way, n):
    Shop.of_none(way, n)


def by_attribute(way, n):
    shop = Shop(way)
    shop.n = n
    return shop.attribute


def by_item(way, n):
    return Shop(way)[n]


def by_with(way, n):
    shop = Shop(way)
    shop.n = n
    with shop:
        pass


def by_lambda(way, n):
    (lambda m: way.go(m))(n)


def by_closure(way, n):
    def inner():
        way.go(n)
    inner()


def by_sort(way, n):
    sorted([1], key=lambda unused: way.go(n) or 0)


def by_map(way, n):
    list(map(way.go, [n]))


def by_comprehension(way, n):
    return [way.go(m) for m in (n,)]


def by_partial(way, n):
    functools.partial(way.go, n)()


def by_generator(way, n):
    def numbers():
        yield 1
        yield way.go(n)
    for unused in numbers():
        pass


def by_delegation(way, n):
    def inner():
        yield way.go(n)

    def outer():
        yield from inner()
    list(outer())


def by_exception(way, n):
    try:
        raise ValueError(n)
    except ValueError:
        way.go(n)


def by_finally(way, n):
    with contextlib.suppress(KeyError):
        try:
            raise KeyError(n)
        finally:
            way.go(n)


def by_context(way, n):
    @contextlib.contextmanager
    def manager():
        way.go(n)
        yield
    with manager():
        pass


def by_c(way, n):
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p,
                               ctypes.c_void_p)
    libc = ctypes.CDLL(None)
    two = (ctypes.c_int * 2)(2, 1)
    libc.qsort(two, 2, 4, compare(lambda a, b: way.go(n) or 0))
    del kind


def by_coroutine(way, n):
    async def inner():
        way.go(n)

    async def outer():
        await inner()
    if asyncio._get_running_loop() is None:
        asyncio.run(outer())
    else:
        outer().send(None)


def by_exec(way, n):
    exec("def made(way, n):\n\n    way.go(n)\nmade(way, n)", dict(
        way=way, n=n))


def größe(way, n):
    way.go(n)


KINDS = [by_method, by_class, by_static, by_attribute, by_item, by_with,
         by_lambda, by_closure, by_sort, by_map, by_comprehension, by_partial,
         by_generator, by_delegation, by_exception, by_finally, by_context,
         by_c, by_coroutine, by_exec, größe]


class Way:
    """Chooses the kind of each call, and blocks at the end."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def go(self, n):
        if n == 0:
            block()
        elif self.random.randrange(8) == 0:
            self.go(n - 1)
        else:
            self.random.choice(KINDS)(self, n - 1)


def block():
    tids[threading.get_ident()] = threading.get_native_id()
    never.acquire()


def run(seed, deeper):
    Way(seed).go(random.Random(seed).randrange(30) * deeper)


def name_of(code):
    return getattr(code, "co_qualname", code.co_name)


def stack_of(frame):
    lines = []
    while frame is not None:
        lines.append("%s\t%s\t%d" % (name_of(frame.f_code),
                                     frame.f_code.co_filename,
                                     frame.f_lineno or 0))
        frame = frame.f_back
    return lines


def sleeps(tid):
    with open("/proc/self/task/%d/stat" % tid) as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] == "S"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    deeper = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    sys.setswitchinterval(0.0005)
    sys.setrecursionlimit(20000)
    threading.stack_size(64 << 20)
    threads = [threading.Thread(target=run, args=(seed + i, deeper),
                                daemon=True) for i in range(count)]
    for t in threads:
        t.start()
    while len(tids) < count:
        time.sleep(0.01)
    last = None
    while True:
        now = {tid: stack_of(sys._current_frames()[ident])
               for ident, tid in tids.items()}
        if now == last and all(sleeps(tid) for tid in now):
            break
        last = now
        time.sleep(0.02)
    out = []
    for tid, lines in now.items():
        out.append("thread %d" % tid)
        out.extend(lines)
    out.append("end")
    os.write(1, ("\n".join(out) + "\n").encode())
    sys.stdin.read()


main()
