"""Blocks threads in all that threading and queue wait for, and says what each waits
for: "wait TID KIND ID OWNER WORDS".  ID or OWNER is 0 where it is not asked for.

SPDX-License-Identifier: BSD-2-Clause
"""
import concurrent.futures
import ctypes
import os
import queue
import sys
import threading
import time

main = threading.get_native_id()
started = []
libc = ctypes.CDLL(None)


def start(kind, words, fn, *, lock=None, owner=0):
    thread = threading.Thread(target=fn, daemon=True)
    thread.start()
    while thread.native_id is None:
        time.sleep(0.001)
    started.append([thread.native_id, kind, id(lock) if lock else 0, owner, words])
    return thread


def hold(lock):
    with lock:
        pass


lock = threading.Lock()
lock.acquire()
recursive = threading.RLock()
recursive.acquire()
recursive.acquire()
held = start("lock", "threading.Lock", lambda: hold(lock), lock=lock)
start("lock", "threading.Lock", lambda: lock.acquire(timeout=100000), lock=lock)
start("lock", "threading.Lock", lock.acquire, lock=lock)
start("lock", "threading.RLock", lambda: hold(recursive), lock=recursive, owner=main)
start("lock", "threading.RLock", lambda: recursive.acquire(timeout=100000),
      lock=recursive, owner=main)
start("end of a thread", "threading.Thread in threading.Thread.join", held.join,
      owner=held.native_id)
start("end of a thread", "threading.Thread in threading.Thread.join",
      lambda: held.join(100000), owner=held.native_id)



class Unproven:
    """One that does not lead to its lock as threads do up to 3.12."""

    _tstate_lock = lock
    _is_stopped = False

    def __init__(self):
        self._ident = threading.get_ident()


if hasattr(threading.Thread, "_wait_for_tstate_lock"):
    its = "Unproven" if sys.version_info < (3, 11) else "Thread"
    start("lock", "threading.Lock in threading.%s._wait_for_tstate_lock" % its,
          lambda: threading.Thread._wait_for_tstate_lock(Unproven()), lock=lock)

condition = "condition variable"
empty, full = queue.Queue(), queue.Queue(1)
full.put(1)
start(condition, "threading.Condition in queue.Queue.get", lambda: empty.get())
start(condition, "threading.Condition in queue.Queue.get", empty.get)
start(condition, "threading.Condition in queue.Queue.put", lambda: full.put(2))
start(condition, "threading.Condition in queue.Queue.join", lambda: full.join())
start(condition, "queue.SimpleQueue", lambda: queue.SimpleQueue().get())
locked = queue.Queue()
locked.mutex.acquire()
start("lock", "threading.Lock in queue.Queue.get", lambda: locked.get(),
      lock=locked.mutex)


def wait_in(c):
    with c:
        c.wait()


start(condition, "threading.Condition", lambda: wait_in(threading.Condition()))
start(condition, "threading.Condition in threading.Event.wait",
      lambda: threading.Event().wait())
start(condition, "threading.Condition in threading.Semaphore.acquire",
      lambda: hold(threading.Semaphore(0)))
start(condition, "threading.Condition in threading.Barrier.wait",
      lambda: threading.Barrier(2).wait())
start(condition, "threading.Condition in concurrent.futures.Future.result",
      lambda: concurrent.futures.Future().result())

# One that was notified waits for the lock of its condition variable.
notified = threading.Condition()
start("lock", "threading.RLock in threading.Condition.wait",
      lambda: wait_in(notified), lock=notified._lock, owner=main)
while not notified._waiters:
    time.sleep(0.001)
notified.acquire()
notified.notify()

# Two circles: of two RLocks, and of an RLock and a mutex of the C library.
a, b, c = threading.RLock(), threading.RLock(), threading.RLock()
mutex = ctypes.create_string_buffer(64)
both = [threading.Barrier(2), threading.Barrier(2)]


def circle(first, barrier, second):
    first()
    barrier.wait()
    second()


def take_mutex():
    libc.pthread_mutex_lock(mutex)


circles = [
    ("lock", "threading.RLock", a.acquire, both[0], b.acquire, b),
    ("lock", "threading.RLock", b.acquire, both[0], a.acquire, a),
    ("mutex", "", c.acquire, both[1], take_mutex, None),
    ("lock", "threading.RLock", take_mutex, both[1], c.acquire, c),
]
for kind, words, first, barrier, second, what in circles:
    start(kind, words, lambda first=first, barrier=barrier, second=second:
          circle(first, barrier, second), lock=what)
for one, other in (-4, -3), (-2, -1):
    started[one][3], started[other][3] = started[other][0], started[one][0]

for one in started:
    os.write(1, b"wait %d|%s|%x|%d|%s\n" % (one[0], one[1].encode(), one[2], one[3],
                                             one[4].encode()))
os.write(1, b"end\n")
os.read(0, 1)
