#!/usr/bin/python3
"""Prints the stacks of all threads of a process, with lines and inlined calls.

    threads.py pid

SPDX-License-Identifier: BSD-2-Clause
"""
import sys

import stack9


def main() -> int:
    try:
        process = stack9.Thread.find(int(sys.argv[1]))
        for sample in process.samples():
            print(f"{sample.comm}, tid {sample.thread.tid}")
            for side in sample.kernel, sample.user:
                print(f"  {side.side.name.lower()}: {side.reason}")
                for frame in side.frames(lines=True):
                    print(f"    {frame}  {frame.file}:{frame.line}"
                          if frame.file else f"    {frame}")
    except stack9.Error as e:
        print(f"threads.py: {e.reason}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
