"""Holds the GIL in a call of C, while other threads wait for it.

SPDX-License-Identifier: BSD-2-Clause
"""
import ctypes
import os
import threading
import time

turns = [0, 0, 0]


def work(n):
    while True:
        time.sleep(0.001)
        turns[n] += 1


for n in range(len(turns)):
    threading.Thread(target=work, args=(n,), daemon=True).start()
while min(turns) < 2:
    time.sleep(0.001)
os.write(1, b"thread %d\nend\n" % threading.get_native_id())
ctypes.PyDLL(None).pause()
