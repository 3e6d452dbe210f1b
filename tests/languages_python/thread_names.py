"""Starts threads with names of all kinds, and prints what threading calls them.

For each thread there is a line "name TID NAME", without a name for one that
threading does not know.

SPDX-License-Identifier: BSD-2-Clause
"""
import os
import sys
import threading
import time
import _thread

ended, done = threading.Event(), threading.Event()
tids, plain = set(), {}
NAMES = ["worker", "größe 名前 😀", "x" * 900, "", "renamed", "shown",
         "replaced", "many", "\u00e9" * 15, "\U0001f600" * 40]


def block():
    plain[threading.get_native_id()] = threading.get_ident()
    tids.add(threading.get_native_id())
    done.wait()


class Early(threading.Thread):
    """Has attributes before those of its class."""

    def __init__(self, name):
        self.early = 1
        super().__init__(name=name, target=block, daemon=True)
        self.late = 2


class Slots(threading.Thread):
    """Has members that are not in its dict."""

    __slots__ = ("first", "second")


class Others(threading.Thread, dict):
    """Has a base that C made."""

    __hash__ = object.__hash__


def known():
    threading.current_thread()
    block()


threads = [threading.Thread(target=block, name=name or None, daemon=True)
           for name in NAMES]
threads += [Early("early"), Early("early 2"),
            Slots(target=block, name="slots", daemon=True)]
others = Others(target=block, name="others", daemon=True)
threads.append(others)

# Those that come next have the places of threads that have ended, whose Thread
# objects are still there.
gone = [threading.Thread(target=ended.wait, name="gone", daemon=True)
        for n in range(8)]
for t in gone:
    t.start()
ended.set()
for t in gone:
    t.join()
for n in range(8):
    _thread.start_new_thread(block, ())
_thread.start_new_thread(known, ())
for t in threads:
    t.start()
while len(tids) < 9 + len(threads):
    time.sleep(0.001)
by_name = dict(zip(NAMES, threads))
by_name["renamed"].name = "is renamed"
vars(by_name["shown"])
by_name["replaced"].__dict__ = dict(by_name["replaced"].__dict__)
for n in range(60):
    setattr(by_name["many"], "attribute%d" % n, n)

out = {tid: "" for tid in tids}
everybody = threading.enumerate()
# A Thread that is where another one's would be.
threading._active[plain[next(tid for tid in tids if tid not in
                             [t.native_id for t in everybody])]] = threads[0]
for t in everybody:
    out[t.native_id] = t.name
    assert t.native_id in tids or t is threading.main_thread()
# What is gone is not known by another one's name.
assert sorted(out.values()).count("") == 8
os.write(1, "".join("name %d %s\n" % pair
                    for pair in out.items()).encode() + b"end\n")
sys.stdin.read()
