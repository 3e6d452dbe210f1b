"""Copies an ELF file without what a core's reader does not need.

All bytes that are kept stay where they were, and the others become zeros, of
which a compressed file has no trace.  Kept are the headers, the notes, the
unwind information of some addresses, and some symbols.

SPDX-License-Identifier: BSD-2-Clause
"""
import struct

SYMTAB, DYNSYM, STT_OBJECT = 2, 11, 1
PT_LOAD, PT_NOTE, PT_EH_FRAME = 1, 4, 0x6474e550


class SmallElf:
    """One file; keep() and the like choose what stays."""

    def __init__(self, data):
        self.data = data
        self.out = bytearray(len(data))
        (self.phoff, self.shoff, _, _, self.phentsize, self.phnum,
         self.shentsize, self.shnum, self.shstrndx) = struct.unpack_from(
             '<QQIHHHHHH', data, 32)
        self.parts = [struct.unpack_from(
            '<IIQQQQQQ', data, self.phoff + n * self.phentsize)
                      for n in range(self.phnum)]
        self.sections = [list(struct.unpack_from(
            '<IIQQQQIIQQ', data, self.shoff + n * self.shentsize))
                         for n in range(self.shnum)]

    def keep(self, at, size):
        """Keeps bytes of the file."""
        self.out[at:at + size] = self.data[at:at + size]

    def name_of(self, section):
        """The name of a section."""
        at = self.sections[self.shstrndx][4] + section[0]
        return self.data[at:self.data.index(b'\0', at)]

    def keep_headers(self):
        """Keeps headers, notes, and the sections' names."""
        self.keep(0, 64)
        self.keep(self.phoff, self.phnum * self.phentsize)
        for part in self.parts:
            if part[0] == PT_NOTE and part[5] < 4096:
                self.keep(part[2], part[5])
        for number, section in enumerate(self.sections):
            name = self.name_of(section)
            if name != b'.debug_frame' and name.startswith(
                    (b'.debug_', b'.gdb_index', b'.gnu_debugdata')):
                section[1:6] = [0] * 5
            struct.pack_into('<IIQQQQIIQQ', self.out,
                             self.shoff + number * self.shentsize, *section)
        names = self.sections[self.shstrndx]
        self.keep(names[4], names[5])

    def offset_of(self, vaddr):
        """Where in the file this address is."""
        for part in self.parts:
            if part[0] == PT_LOAD and 0 <= vaddr - part[3] < part[5]:
                return part[2] + vaddr - part[3]
        raise ValueError(hex(vaddr))

    def keep_debug_frames(self, vaddrs):
        """Keeps .debug_frame: all that an index needs, and some programs.

        Go's programs have it, and no other unwind information."""
        for section in self.sections:
            if self.name_of(section) != b'.debug_frame':
                continue
            at, end = section[4], section[4] + section[5]
            while at < end:
                size, which = struct.unpack_from('<II', self.data, at)
                begin, length = struct.unpack_from('<QQ', self.data, at + 8)
                is_whole = which == 0xffffffff or any(
                    begin <= v < begin + length for v in vaddrs)
                self.keep(at, 4 + size if is_whole else 24)
                at += 4 + size

    def keep_frames(self, vaddrs):
        """Keeps the unwind information of these addresses."""
        self.keep_debug_frames(vaddrs)
        header = [p for p in self.parts if p[0] == PT_EH_FRAME]
        if not header:
            for section in self.sections:
                if self.name_of(section) == b'.eh_frame':
                    self.keep(section[4], section[5])
            return
        at, base = header[0][2], header[0][3]
        if self.data[at:at + 4] != b'\x01\x1b\x03\x3b':
            self.keep(at, header[0][5])
            raise ValueError('an unusual .eh_frame_hdr')
        count, = struct.unpack_from('<I', self.data, at + 8)
        table = struct.unpack_from('<%di' % (2 * count), self.data, at + 12)
        starts = table[::2]
        wanted = set()
        for vaddr in vaddrs:
            low, high = 0, count
            while high - low > 1:
                middle = (low + high) // 2
                if starts[middle] <= vaddr - base:
                    low = middle
                else:
                    high = middle
            wanted.add(low)
        self.keep(at, 12)
        struct.pack_into('<I', self.out, at + 8, len(wanted))
        for n, entry in enumerate(sorted(wanted)):
            pair = table[2 * entry:2 * entry + 2]
            struct.pack_into('<ii', self.out, at + 12 + 8 * n, *pair)
            self.keep_entry(self.offset_of(base + pair[1]))

    def keep_object(self, vaddr, size):
        """Keeps a variable, if the file has its bytes."""
        for part in self.parts:
            if part[0] == PT_LOAD and 0 <= vaddr - part[3] < part[5]:
                self.keep(part[2] + vaddr - part[3], min(size, 4096))

    def keep_entry(self, at):
        """Keeps an FDE and its CIE."""
        size, distance = struct.unpack_from('<II', self.data, at)
        self.keep(at, 4 + size)
        if distance != 0:
            self.keep_entry(at + 4 - distance)

    def keep_symbols(self, vaddrs, is_wanted):
        """Keeps the symbols of addresses, and those that have such names."""
        vaddrs = sorted(vaddrs)
        for section in self.sections:
            if section[1] not in (SYMTAB, DYNSYM):
                continue
            names = self.sections[section[6]]
            for at in range(section[4], section[4] + section[5], 24):
                name, info, _, index, value, size = struct.unpack_from(
                    '<IBBHQQ', self.data, at)
                start = names[4] + name
                text = self.data[start:self.data.index(b'\0', start)]
                covers = info & 15 in (2, 10) and any(
                    value <= v < value + max(size, 1) for v in vaddrs)
                if index != 0 and text and (covers or is_wanted(text)):
                    self.keep(at, 24)
                    self.keep(start, len(text) + 1)
                    if info & 15 == STT_OBJECT:
                        self.keep_object(value, size)
