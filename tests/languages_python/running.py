"""Runs threads that call one another's functions without an end, and prints which
of them may call which.

running.py SEED THREADS

There is a line "edge CALLER LINE CALLEE" for each call, then "end".

SPDX-License-Identifier: BSD-2-Clause
"""
import os
import random
import sys
import threading

FUNCTIONS, CALLS = 40, 3
chosen = random.Random(int(sys.argv[1]))
edges = set()


def made():
    """Each function calls some of those with higher numbers, each at its line."""
    lines = []
    for n in range(FUNCTIONS):
        later = range(n + 1, FUNCTIONS)
        callees = chosen.sample(later, min(CALLS, len(later)))
        kind = n % 3
        lines.append("def f%d(n):" % n)
        for callee in callees:
            edges.add(("f%d" % n, len(lines) + 1, "f%d" % callee))
            if kind == 0:
                lines.append("    n = f%d(n) + 1" % callee)
            elif kind == 1:
                lines.append("    n += sum(map(f%d, (n,)))" % callee)
            else:
                lines.append("    n += [f%d(m) for m in (n,)][0]" % callee)
        lines.append("    for i in range(20):")
        lines.append("        n = (n * 7 + i) % 1000")
        lines.append("    return n")
    return "\n".join(lines)


scope = {}
exec(compile(made(), "made.py", "exec"), scope)


def run():
    first = 0
    while True:
        first = (first + 1) % 4
        scope["f%d" % first](1)


sys.setswitchinterval(0.0005)
for unused in range(int(sys.argv[2])):
    threading.Thread(target=run, daemon=True).start()
os.write(1, "".join("edge %s %d %s\n" % e for e in sorted(edges)).encode() +
         b"end\n")
sys.stdin.read()
