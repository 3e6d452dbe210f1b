// Finds names without lock or heap.  It reads the symbol table from the file by
// pread(2), from one end to the other, and keeps the best symbol.  Every lookup
// of an address that was not asked for before reads all of it.  Safe in a
// signal handler that interrupts malloc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_nowait.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "budgets/budgets.h"
#include "core/seam/symbols.h"
#include "unwind/module.h"

#include "name_cache.h"

namespace stack9 {
namespace {

// The buffer on the stack; all frames of a lookup stay below 2 KiB.
constexpr std::size_t chunk = 32;

// A large buffer saves most system calls.  One lookup at a time has it; a
// lookup that interrupts or meets that one makes do with its stack.
class large_buffer {
public:
	large_buffer() noexcept : mine_(!taken_.exchange(true)) {}
	large_buffer(const large_buffer &) = delete;
	large_buffer &operator=(const large_buffer &) = delete;
	~large_buffer()
	{
		if (mine_)
			taken_ = false;
	}

	std::span<ElfW(Sym)>
	or_else(std::span<ElfW(Sym)> small) const noexcept
	{
		return mine_ ? std::span<ElfW(Sym)>(symbols_) : small;
	}

private:
	static constinit std::atomic<bool>	taken_;
	static ElfW(Sym)			symbols_[1024];
	const bool				mine_;
};
constinit std::atomic<bool> large_buffer::taken_{false};
ElfW(Sym) large_buffer::symbols_[1024];

// Prefers .symtab over .dynsym.
bool
find_section(const bytes &b, const ElfW(Ehdr) &eh, std::uint64_t count,
    ElfW(Shdr) &found) noexcept
{
	ElfW(Shdr) part[8];
	found.sh_type = SHT_NULL;
	for (std::uint64_t i = 0; i < count;) {
		const std::size_t n = b.read(eh.e_shoff + i * sizeof(*part),
		    part, std::min<std::uint64_t>(std::size(part), count - i) *
		    sizeof(*part)) / sizeof(*part);
		if (n == 0)
			return false;
		for (std::size_t j = 0; j < n; j++)
			if (part[j].sh_type == SHT_SYMTAB ||
			    (part[j].sh_type == SHT_DYNSYM &&
			    found.sh_type == SHT_NULL)) {
				found = part[j];
				if (found.sh_type == SHT_SYMTAB)
					return true;
			}
		i += n;
	}
	return found.sh_type != SHT_NULL;
}

std::uint32_t
measure_name(const bytes &b, const symbol_section &t, std::uint64_t at) noexcept
{
	char part[64];
	std::size_t n = 0;
	while (at + n < t.names_size && n < name_max - 1) {
		const std::size_t want = std::min<std::uint64_t>(sizeof(part),
		    std::min<std::uint64_t>(t.names_size - at - n,
		    name_max - 1 - n));
		const std::size_t got = b.read(t.names + at + n, part, want);
		std::size_t length = name_length(part, got);
		if (n != 0 && got != 0 && part[0] == '@')
			length = 0;	// a version begins here
		n += length;
		if (length != sizeof(part))
			break;
	}
	return static_cast<std::uint32_t>(n);
}

// The best symbol so far, and the one to take if none covers the address.
class choice {
	struct named {
		function_symbol	f{0, 0, 0, 0};
		std::uint64_t	name = 0;	// in the string table
	};
	named covering, behind;

public:
	void
	consider(const bytes &b, const symbol_section &t, const ElfW(Sym) &s,
	    std::uint64_t vaddr) noexcept
	{
		function_symbol f;
		if (!to_function(s, f))
			return;
		const bool in = f.covers(vaddr);
		if (!in && (f.size == 0 || vaddr - f.start != f.size))
			return;
		named &best = in ? covering : behind;
		if (best.f.name_length != 0 && best.f.better_than(f))
			return;
		f.name_length = measure_name(b, t, s.st_name);
		if (f.name_length != 0 &&
		    (best.f.name_length == 0 || f.better_than(best.f)))
			best = {f, s.st_name};
	}

	int
	put(const bytes &b, const symbol_section &t, std::uintptr_t vaddr,
	    bool return_address, symbol_name &sym) const noexcept
	{
		const named &best = covering.f.name_length == 0 &&
		    !return_address ? behind : covering;
		const std::size_t n = best.f.name_length;
		if (n == 0 || b.read(t.names + best.name, sym.name, n) != n)
			return ENOENT;
		sym.name[n] = '\0';
		sym.offset = vaddr + return_address - best.f.start;
		sym.size = best.f.size;
		return 0;
	}
};

} // namespace

bool
symbol_section::find(const bytes &b) noexcept
{
	ElfW(Ehdr) eh;
	ElfW(Shdr) sh;
	if (!read_header(b, eh) || eh.e_shoff == 0 ||
	    eh.e_shentsize != sizeof(sh) || !b.get(eh.e_shoff, sh))
		return false;
	const std::uint64_t count = eh.e_shnum != 0 ? eh.e_shnum : sh.sh_size;
	if (!find_section(b, eh, count, sh))
		return false;
	ElfW(Shdr) strings;
	if (sh.sh_link >= count ||
	    !b.get(eh.e_shoff + sh.sh_link * sizeof(sh), strings) ||
	    strings.sh_type != SHT_STRTAB)
		return false;
	*this = {sh.sh_offset, sh.sh_size, strings.sh_offset, strings.sh_size,
	    sh.sh_type == SHT_SYMTAB};
	return true;
}

int
elf_scan(const bytes &b, const symbol_section &t, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, symbol_name &sym) noexcept
{
	const std::uintptr_t key = vaddr - return_address;
	choice best;
	t.each(b, room, [&](const ElfW(Sym) &s) {
		best.consider(b, t, s, key);
	});
	return best.put(b, t, key, return_address, sym);
}

namespace {

// Rejected: dl_iterate_phdr(), which takes the loader's lock.
bool
find_module(std::uintptr_t key, module_image &m) noexcept
{
	unwind::loaded_module found;
	if (!unwind::find_module(key, found))
		return false;
	m.lo = found.begin;
	m.hi = found.end;
	m.bias = found.bias();
	m.path = found.path();
	m.id = mapped_build_id(m.lo, m.hi, m.bias);
	return true;
}

// The section headers of the vdso lie behind its one segment, in the same page.
unique_fd
open_bytes(const module_image &m, bytes &b) noexcept
{
	unique_fd fd;
	if (m.is_vdso()) {
		const std::size_t page = sysconf(_SC_PAGESIZE);
		b = bytes{-1, m.lo, (m.hi - m.lo + page - 1) & ~(page - 1)};
	} else {
		fd = m.open_file(m.lo);
		b = bytes{fd.get(), 0, fd ? SIZE_MAX : 0};
	}
	return fd;
}

// 0; ENOENT: its module has no such function; EAGAIN: no table could be read,
// which may be for want of a descriptor.
int
find_in_process(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept
{
	module_image m;
	if (!find_module(pc - return_address, m))
		return EAGAIN;
	bytes b;
	symbol_section t;
	ElfW(Sym) part[chunk];
	const unique_fd hold = open_bytes(m, b);
	if (!t.find(b) || budgets::exceeds(t.size, budgets::symbols))
		return EAGAIN;
	const large_buffer buffer;
	if (elf_scan(b, t, buffer.or_else(part), pc - m.bias, return_address,
	    sym) != 0)
		return ENOENT;
	m.module_name(sym.module);
	return 0;
}

} // namespace

int
elf_find_nowait(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept
{
	const int known = cached_name(pc, return_address, sym);
	if (known != EAGAIN)
		return known;
	const int error = errno;
	const std::uint64_t stamp = code_stamp();
	const int result = find_in_process(pc, return_address, sym);
	if (result != EAGAIN)
		cache_name(stamp, pc, return_address, result, sym);
	errno = error;
	return result == 0 ? 0 : ENOENT;
}

} // namespace stack9
