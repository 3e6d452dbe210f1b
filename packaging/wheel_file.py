# SPDX-License-Identifier: BSD-2-Clause
"""Writes a wheel of the library, of the libraries that it needs, of the module and
of the one static program.

usage: wheel_file.py libstack9.so.0 stack9 out-directory, in a Debian.
"""

import base64
import glob
import hashlib
import os
import re
import subprocess
import sys
import zipfile

# What a wheel may take from the machine: PEP 600.
OF_THE_MACHINE = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
                  "librt.so.1", "ld-linux-x86-64.so.2"}
LIBS = "stack9.libs"
PROGRAMS = ("print", "count", "snoop", "record", "report")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path))


def libraries(path):
    """The library, and all that it needs and that no machine has to have."""
    where = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", path)))
    found = {"libstack9.so.0": path}
    left = needed(path)
    while left:
        name = left.pop()
        if name in OF_THE_MACHINE or name in found:
            continue
        found[name] = where[name]
        left += needed(where[name])
    return found


def platform(paths):
    """The newest version of glibc of which something is wanted."""
    newest = max(tuple(map(int, version.split(".")))
                 for path in paths
                 for version in re.findall(r"Name: GLIBC_([0-9.]+)",
                                           output("readelf", "-VW", path)))
    return "manylinux_{}_{}_x86_64".format(*newest)


def stripped(path):
    made = "/tmp/stripped"
    subprocess.run(["strip", "--strip-unneeded", "-o", made, path], check=True)
    with open(made, "rb") as f:
        return f.read()


def text_of(path):
    with open(path, "rb") as f:
        return f.read()


def licences(paths):
    """Debian's texts for what others wrote."""
    for path in paths:
        file = os.path.basename(os.path.realpath(path))
        name = output("dpkg-query", "-S", f"*/{file}").split(":")[0]
        yield name, text_of(f"/usr/share/doc/{name}/copyright")


class Wheel:
    """A zip with a list of what is in it, the same for the same contents."""

    def __init__(self, path, info):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._info = info
        self._record = []

    def add(self, name, contents, mode=0o644):
        if isinstance(contents, str):
            contents = contents.encode()
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, contents)
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest())
        self._record.append(f"{name},sha256={digest.decode().rstrip('=')},"
                            f"{len(contents)}")

    def close(self):
        name = f"{self._info}/RECORD"
        self._zip.writestr(zipfile.ZipInfo(name),
                           "\n".join(self._record) + f"\n{name},,\n")
        self._zip.close()


def main(library, program, out):
    with open("CMakeLists.txt") as f:
        version = re.search(r"project\(stack9 VERSION ([0-9.]+)", f.read())[1]
    info, data = f"stack9-{version}.dist-info", f"stack9-{version}.data"
    found = libraries(library)
    tag = f"py3-none-{platform(found.values())}"
    path = f"{out}/stack9-{version}-{tag}.whl"
    for old in glob.glob(f"{out}/stack9-*.whl"):
        os.unlink(old)
    wheel = Wheel(path, info)
    for name in ("__init__.py", "py.typed"):
        wheel.add(f"stack9/{name}", text_of(f"python/stack9/{name}"))
    for name, file in sorted(found.items()):
        wheel.add(f"{LIBS}/{name}", stripped(file), 0o755)
    wheel.add(f"{data}/scripts/stack9", text_of(program), 0o755)
    # Two files of nine megabytes would be one too many, and wheels have no
    # links.
    for word in PROGRAMS:
        wheel.add(f"{data}/scripts/stack{word}",
                  f'#!/bin/sh\nexec "${{0%/*}}/stack9" {word} "$@"\n', 0o755)
    for word in PROGRAMS:
        wheel.add(f"{data}/data/share/man/man1/stack{word}.1",
                  text_of(f"man/stack{word}.1"))
    wheel.add(f"{data}/data/share/man/man1/stack9.1", text_of("man/stack9.1"))
    wheel.add(f"{info}/METADATA", f"""\
Metadata-Version: 2.1
Name: stack9
Version: {version}
Summary: Stacks of any thread of a Linux machine, kernel and user
License: BSD-2-Clause
Requires-Python: >=3.9
Description-Content-Type: text/markdown

The programs stack9, stackprint, stackcount, stacksnoop, stackrecord and
stackreport, and the module stack9 with the library libstack9 inside.

    stackprint -p PID       # what the threads of a process are doing
    python3 -c 'import stack9; help(stack9)'
""")
    wheel.add(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: stack9\n"
              f"Root-Is-Purelib: false\nTag: {tag}\n")
    wheel.add(f"{info}/top_level.txt", "stack9\n")
    wheel.add(f"{info}/licenses/LICENSE", text_of("LICENSE"))
    others = [f for n, f in found.items() if n != "libstack9.so.0"]
    for name, text in sorted(dict(licences(others)).items()):
        wheel.add(f"{info}/licenses/{name}", text)
    wheel.close()
    print(f"{path}: {os.path.getsize(path)} bytes")


main(*sys.argv[1:])
