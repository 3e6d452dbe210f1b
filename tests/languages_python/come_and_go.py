"""Has one thread after the other, each in a function of another name, and says that
name and the thread's number for each line that it reads.  After the line "exec" it does so in a new program.

SPDX-License-Identifier: BSD-2-Clause
"""
import ctypes
import os
import sys
import threading

end, ask = os.pipe()
kept = []
thread = None
for n, line in enumerate(sys.stdin):
    if thread:
        os.write(ask, b".")
        thread.join()
    if line == "exec\n":
        os.write(1, b"end\n")
        os.execv(sys.executable, [sys.executable, sys.argv[0]])
    # What CPython had of it is something else then.
    kept += [ctypes.create_string_buffer(size) for size in range(64, 4096, 16)]
    names = {}
    exec("def f%d():\n    os.read(end, 1)" % n, globals(), names)
    thread = threading.Thread(target=names["f%d" % n], daemon=True)
    thread.start()
    while thread.native_id is None:
        pass
    os.write(1, b"f%d\t%d\nend\n" % (n, thread.native_id))
