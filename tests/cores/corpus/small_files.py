"""Writes what a core's reader needs of the files that a process has mapped.

SPDX-License-Identifier: BSD-2-Clause
"""
import os
import re

from small_elf import SmallElf

# Symbols that the reader looks for and puts together from parts.
PARTS = re.compile(rb'v8dbg_|gHotSpotVM|_Py_|_PyRuntime|ruby_|rb_')


def mapped_files(pid):
    """Files with code: their mappings as (start, end, offset)."""
    files = {}
    for line in open('/proc/%d/maps' % pid):
        words = line.split(None, 5)
        path = words[5].strip() if len(words) > 5 else ''
        if path.startswith('/') and ' (deleted)' not in path:
            start, end = (int(n, 16) for n in words[0].split('-'))
            files.setdefault(path, []).append(
                (start, end, int(words[2], 16), 'x' in words[1]))
    return {p: m for p, m in files.items() if any(x for *_, x in m)}


def files_of_process(pid, addresses, names, to):
    """Writes the small files of a process, each by its build-id."""
    for path, mappings in mapped_files(pid).items():
        with open('/proc/%d/root%s' % (pid, path), 'rb') as file:
            data = file.read()
        if not data.startswith(b'\x7fELF'):
            continue
        parts = SmallElf(data).parts
        vaddrs = set()
        for start, end, offset, _ in mappings:
            for part in parts:
                if part[0] == 1:
                    vaddrs |= {
                        a - start + offset - part[2] + part[3]
                        for a in addresses if start <= a < end and
                        0 <= a - start + offset - part[2] < part[5]}
        small_file(data, vaddrs, names, to)


def small_file(data, vaddrs, names, to):
    """Writes the small file of one, with what these addresses need."""
    elf = SmallElf(data)
    near = {v - d for v in vaddrs for d in (0, 1)}
    elf.keep_headers()
    elf.keep_frames(near)
    elf.keep_symbols(near, lambda n: n in names or PARTS.match(n))
    build_id = build_id_of(elf)
    if build_id and (vaddrs or any(PARTS.match(n) for n in
                                   elf.out.split(b'\0'))):
        place = os.path.join(to, '.build-id', build_id[:2])
        os.makedirs(place, exist_ok=True)
        with open('%s/%s.debug' % (place, build_id[2:]), 'wb') as file:
            file.write(elf.out)


def files_of_frames(threads, root, to):
    """Writes the small files of the files that frames are in."""
    files = {}
    for frame in (f for t in threads if t.get('user')
                  for f in t['user']['frames'] if f.get('build_id')):
        if frame['path'].startswith('/'):
            files.setdefault(frame['path'], set()).add(int(frame['vaddr'], 16))
    for path, vaddrs in files.items():
        path = path if path.startswith(root + '/') else root + path
        with open(path, 'rb') as file:
            small_file(file.read(), vaddrs, set(), to)


def build_id_of(elf):
    """In hexadecimal digits."""
    at = elf.data.find(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0', 0, 65536)
    return elf.data[at + 16:at + 36].hex() if at >= 0 else ''
