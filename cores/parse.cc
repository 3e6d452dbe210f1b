// Reads the headers of a core file.
//
// Rejected: libelf.  It reads all notes at once (300 MB for a core of many
// threads) and section headers in any number, and it refuses a file that was
// cut.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include <elf.h>

#include "arch/cpu.h"
#include "arch/described.h"
#include "budgets/budgets.h"

#include "contents.h"
#include "notes.h"

namespace stack9::cores {
namespace {

constexpr bool reads_cores = unwind::elf_machine == EM_X86_64 ||
    unwind::elf_machine == EM_AARCH64;

layout
layout_of(int machine) noexcept
{
	layout to{32, 112, 0, 24, 40, 56, 16, 8};
	if (machine == EM_386)
		to = {24, 72, 0, 12, 28, 44, 12, 4};
	arch::with_described(machine, [&to](auto cpu) {
		to.register_bytes = decltype(cpu)::core_bytes;
	});
	return to;
}

const char *
why_machine(int machine) noexcept
{
	switch (machine) {
	case EM_386:
	case EM_AARCH64:
		return "its ELF header is damaged";	// the other class
	case EM_ARM:
		return "it is the core of a 32-bit ARM program, which stack9 "
		    "does not know";
	case EM_RISCV:
		return "it is the core of a RISC-V program, and this stack9 "
		    "does not read such cores";
	default:
		return "it is the core of a program for a CPU that stack9 "
		    "does not know";
	}
}

class parser {
public:
	parser(int fd, contents &to) noexcept : from_(fd), to_(to) {}

	const char *run();

private:
	const char *read_ident();
	template <class Ehdr, class Phdr, class Shdr> const char *read_all();
	template <class Phdr> void take_segment(const Phdr &);

	file_window	from_;
	contents	&to_;
};

const char *
parser::read_ident()
{
	unsigned char ident[EI_NIDENT];
	std::uint16_t type, machine;
	if (!reads_cores)
		return "cores are read on x86-64 and aarch64 only";
	if (!from_.read(0, ident) || std::memcmp(ident, ELFMAG, SELFMAG) != 0)
		return "it is not an ELF file";
	if (ident[EI_DATA] == ELFDATA2MSB)
		return "it is a big-endian file, of a CPU that stack9 does not "
		    "know";
	if (ident[EI_DATA] != ELFDATA2LSB || (ident[EI_CLASS] != ELFCLASS64 &&
	    ident[EI_CLASS] != ELFCLASS32))
		return "its ELF header is damaged";
	if (!from_.read(EI_NIDENT, type) || !from_.read(EI_NIDENT + 2, machine))
		return "it ends within its ELF header";
	if (type != ET_CORE)
		return "it is an ELF file, but not a core";
	const bool is_64 = ident[EI_CLASS] == ELFCLASS64;
	to_.about.machine = machine;
	to_.about.is_32 = !is_64;
	if (is_64 ? machine == EM_X86_64 || machine == EM_AARCH64 :
	    machine == EM_386)
		return nullptr;
	if (!is_64 && machine == EM_X86_64)
		return "it is the core of an x32 program, which stack9 does "
		    "not know";
	return why_machine(machine);
}

const char *
parser::run()
{
	if (!from_.open())
		return "it is not a regular file";
	if (const char *const why = read_ident())
		return why;
	const char *const why = to_.about.is_32 != 0 ?
	    read_all<Elf32_Ehdr, Elf32_Phdr, Elf32_Shdr>() :
	    read_all<Elf64_Ehdr, Elf64_Phdr, Elf64_Shdr>();
	if (why != nullptr)
		return why;
	put_in_order(to_);
	return to_.threads.empty() ? "it has no threads: its notes are "
	    "missing" : nullptr;
}

// A core with 65,535 segments or more has their number in section 0.
template <class Ehdr, class Phdr, class Shdr>
const char *
parser::read_all()
{
	Ehdr header;
	Shdr first;
	if (!from_.read(0, header))
		return "it ends within its ELF header";
	std::uint64_t count = header.e_phnum;
	if (count == PN_XNUM && header.e_shoff != 0 &&
	    from_.read(header.e_shoff, first))
		count = first.sh_info;
	if (header.e_phentsize != sizeof(Phdr) || count == 0)
		return "it has no segments, or of an unknown form";
	if (budgets::exceeds(count, budgets::core_segments)) {
		count = budgets::of(budgets::core_segments);
		to_.about.left_out = 1;
	}
	std::vector<Phdr> notes;
	for (std::uint64_t n = 0; n < count; n++) {
		Phdr p;
		if (!from_.read(header.e_phoff + n * sizeof p, p))
			return n == 0 ? "it ends before its segments" :
			    "it ends within the list of its segments";
		if (p.p_type == PT_LOAD)
			take_segment(p);
		else if (p.p_type == PT_NOTE && notes.size() < 16)
			notes.push_back(p);
	}
	const layout as = layout_of(to_.about.machine);
	note_reader reader(from_, as, to_);
	for (const Phdr &p : notes) {
		reader.read(p.p_offset, p.p_filesz);
		to_.about.cut_notes |= p.p_offset > from_.size() ||
		    p.p_filesz > from_.size() - p.p_offset;
	}
	return nullptr;
}

template <class Phdr>
void
parser::take_segment(const Phdr &p)
{
	const std::uint64_t start = p.p_vaddr, length = p.p_memsz,
	    at = p.p_offset;
	if (length == 0 || start + length < start)
		return;
	std::uint64_t kept = std::min<std::uint64_t>(p.p_filesz, length);
	if (kept != 0 && at + kept >= at)
		to_.about.size_wanted = std::max(to_.about.size_wanted,
		    at + kept);
	kept = at >= from_.size() ? 0 : std::min(kept, from_.size() - at);
	to_.segments.push_back({start, start + length, at, kept, p.p_flags, 0});
}

// Drops what overlaps something before it, or is empty.
template <class T>
void
drop_overlapping(std::vector<T> &all)
{
	std::stable_sort(all.begin(), all.end(), [](const T &a, const T &b) {
		return a.start < b.start;
	});
	std::uint64_t end = 0;
	std::erase_if(all, [&](const T &each) {
		if (each.start < end || each.end <= each.start)
			return true;
		end = each.end;
		return false;
	});
}

} // namespace

const segment *
contents::find(std::uint64_t address) const noexcept
{
	const auto after = std::upper_bound(segments.begin(), segments.end(),
	    address, [](std::uint64_t a, const segment &s) {
		return a < s.start;
	});
	return after == segments.begin() || address >= std::prev(after)->end ?
	    nullptr : &*std::prev(after);
}

void
put_in_order(contents &c)
{
	drop_overlapping(c.segments);
	drop_overlapping(c.files);
}

const char *
parse(int fd, contents &to)
{
	return parser(fd, to).run();
}

} // namespace stack9::cores
