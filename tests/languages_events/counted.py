# Makes system calls in functions of many kinds, and counts them by the stacks
# that Python says.
#
# It reads lines: "warm" makes some calls, "run N" makes N of each kind and
# prints "count<tab>name|file|line|name|..." for each stack, innermost first.
# "fresh N" does so in N functions that are gone at once.  It answers each line
# with "end".
#
# SPDX-License-Identifier: BSD-2-Clause
import os
import sys
import threading
from collections import Counter

said = {}  # by thread: an addition may lose another thread's


def name_of(code):
    return getattr(code, "co_qualname", code.co_name)


def note():
    frame = sys._getframe(1)
    words = []
    while frame is not None:
        words += [name_of(frame.f_code), frame.f_code.co_filename,
                  str(frame.f_lineno)]
        frame = frame.f_back
    said.setdefault(threading.get_ident(), Counter())["|".join(words)] += 1


def ask(): note(); os.getsid(0)


def recurse(depth):
    if depth == 0:
        return ask()
    return recurse(depth - 1)


def made(n):
    for i in range(n):
        ask()
        yield i


def delegated(n):
    yield from made(n)


def by_sort():
    sorted([1], key=lambda x: ask())


def by_comprehension():
    return [ask() for _ in range(2)]


def by_map():
    return list(map(lambda _: ask(), "ab"))


class Thing:
    def method(self):
        ask()

    @property
    def read(self):
        return ask()

    def __len__(self):
        ask()
        return 3

    def __del__(self):
        ask()


def handled():
    try:
        raise ValueError
    except ValueError:
        ask()
    finally:
        ask()


async def inner():
    ask()


async def outer():
    await inner()


def awaited():
    try:
        outer().send(None)
    except StopIteration:
        pass


def wraps(f):
    def around(*args):
        return f(*args)
    return around


@wraps
def wrapped(n):
    ask()
    return n


def fresh(n):
    lines = "\n" * (n % 7)
    exec("%sdef made_%d(): ask()\nmade_%d()" % (lines, n, n), {"ask": ask})


def каждый():
    ask()


def all_kinds():
    recurse(0)
    recurse(7)
    recurse(60)
    for _ in delegated(2):
        pass
    by_sort()
    by_comprehension()
    by_map()
    thing = Thing()
    thing.method()
    thing.read
    len(thing)
    del thing
    handled()
    awaited()
    wrapped(1)
    каждый()


def in_thread(n):
    for _ in range(n):
        all_kinds()


def all_fresh(n):
    for i in range(n):
        fresh(i)


def warm():
    for _ in range(50):
        os.getsid(0)


def answer():
    for of_thread in said.values():
        for stack, count in of_thread.items():
            print(count, stack, sep="\t")


for line in sys.stdin:
    words = line.split()
    if words[0] == "warm":
        warm()
    elif words[0] == "fresh":
        said.clear()
        all_fresh(int(words[1]))
        answer()
    else:
        threads = [threading.Thread(target=in_thread, args=(int(words[1]),))
                   for _ in range(2)]
        for t in threads:
            t.start()
        in_thread(int(words[1]))
        for t in threads:
            t.join()
        answer()
    print("end", flush=True)
