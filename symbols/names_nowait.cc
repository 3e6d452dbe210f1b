// Finds names of this process without lock or heap.  Every lookup of an address
// that was not asked for before reads the whole symbol table of its module, so
// the addresses of a stack are looked up together.  Safe in a signal handler
// that interrupts malloc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <span>

#include "budgets/budgets.h"
#include "core/seam/symbols.h"
#include "unwind/module.h"

#include "name_cache.h"
#include "symbol_choice.h"
#include "symbol_section.h"

namespace stack9 {
namespace {

// A large buffer saves most system calls.  One lookup at a time has it; a
// lookup that interrupts or meets that one makes do with its stack.
class large_buffer {
public:
	large_buffer() noexcept : mine_(!taken_.test_and_set()) {}
	large_buffer(const large_buffer &) = delete;
	large_buffer &operator=(const large_buffer &) = delete;
	~large_buffer()
	{
		if (mine_)
			taken_.clear();
	}

	// All of it for a large table.  A small one is read by more system
	// calls, which costs less than to touch all of these pages at first.
	std::span<ElfW(Sym)>
	symbols(std::uint64_t size) noexcept
	{
		const std::span<ElfW(Sym)> all(large_.symbol);
		return !mine_ ? std::span<ElfW(Sym)>(small_.symbol) :
		    size > 16 * all.size_bytes() / 3 ? all :
		    all.first(all.size() / 3);
	}

	std::span<ElfW(Shdr)>
	headers() noexcept
	{
		return mine_ ? std::span<ElfW(Shdr)>(large_.header) :
		    std::span<ElfW(Shdr)>(small_.header);
	}

	// Enough for the headers and notes of most programs.
	std::span<unsigned char>
	beginning() noexcept
	{
		return mine_ ? std::span<unsigned char>(large_.byte) :
		    std::span<unsigned char>();
	}

private:
	template <std::size_t n> union alignas(64) content {
		unsigned char	byte[n];
		ElfW(Sym)	symbol[n];
		ElfW(Shdr)	header[n * sizeof(ElfW(Sym)) /
				    sizeof(ElfW(Shdr))];
	};

	// Rejected: an exchange of a byte, which RISC-V leaves to a library.
	static constinit std::atomic_flag	taken_;
	static content<1024>			large_;
	content<12>				small_;	// frames of a lookup
						// stay below 2 KiB
	const bool				mine_;
};
constinit std::atomic_flag large_buffer::taken_{};
large_buffer::content<1024> large_buffer::large_;

// A table is read once for as many addresses of its module.
constexpr std::size_t together = 6;

// An address in a module, and its name as far as the table was read.
struct asked_address {
	std::uintptr_t	pc = 0;
	std::uintptr_t	vaddr = 0;	// of the instruction
	symbol_choice	best{};
};

// Tells symbols that hold no address from others, without a branch for each
// address: most symbols are elsewhere.
class vicinity {
public:
	explicit vicinity(std::span<const asked_address> all) noexcept
	{
		for (std::size_t i = 0; i < together; i++)
			vaddr_[i] = all[std::min(i, all.size() - 1)].vaddr;
		const auto ends = std::minmax_element(vaddr_,
		    vaddr_ + together);
		lowest_ = *ends.first;
		highest_ = *ends.second;
	}

	// The address behind a function may be its, too.
	bool
	may_hold(const ElfW(Sym) &s) const noexcept
	{
		const std::uint64_t begin = s.st_value, size = s.st_size;
		// One branch: symbols are in no order.
		if ((begin > highest_) |
		    ((begin < lowest_) & (lowest_ - begin > size)))
			return false;
		bool any = false;
#pragma GCC unroll 6
		for (const std::uint64_t vaddr : vaddr_)
			any |= vaddr - begin <= size;
		return any;
	}

private:
	std::uint64_t	vaddr_[together];
	std::uint64_t	lowest_, highest_;
};

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
	return true;
}

// The section headers of the vdso lie behind its one segment, in the same page.
unique_fd
open_bytes(module_image &m, std::span<unsigned char> room, bytes &b) noexcept
{
	unique_fd fd;
	if (m.is_vdso()) {
		const std::size_t page = sysconf(_SC_PAGESIZE);
		b = bytes{-1, m.lo, (m.hi - m.lo + page - 1) & ~(page - 1)};
	} else {
		m.room = room;
		fd = m.open_program();
		if (!fd) {
			m.id = mapped_build_id(m.lo, m.hi, m.bias, room);
			fd = m.open_file(m.lo);
		}
		b = bytes{fd.get(), 0, fd ? SIZE_MAX : 0};
	}
	return fd;
}

// Reads the table once for all addresses and calls f with the file.  False: no
// table could be read, which may be for want of a descriptor.
template <class F> bool
search_module(module_image &m, std::span<asked_address> all, F f) noexcept
{
	bytes b;
	symbol_section t;
	large_buffer buffer;
	const unique_fd hold = open_bytes(m, buffer.beginning(), b);
	if (!t.find(b, buffer.headers()) ||
	    budgets::exceeds(t.size, budgets::symbols))
		return false;
	const vicinity near(all);
	t.each(b, buffer.symbols(t.size), [&](const ElfW(Sym) &s) {
		if (near.may_hold(s))
			for (asked_address &a : all)
				a.best.consider(b, t, s, a.vaddr);
	});
	f(b, t);
	return true;
}

// 0; ENOENT: its module has no such function; EAGAIN: no table could be read.
int
find_in_process(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept
{
	module_image m;
	if (!find_module(pc - return_address, m))
		return EAGAIN;
	int result = ENOENT;
	asked_address one{pc, pc - return_address - m.bias, {}};
	if (!search_module(m, {&one, 1}, [&](const bytes &b,
	    const symbol_section &t) {
		result = one.best.put(b, t, one.vaddr, return_address, sym);
	}))
		return EAGAIN;
	if (result == 0)
		m.module_name(sym.module);
	return result;
}

class unknown_addresses {
public:
	// Takes the first, which has no name yet, and those others of its
	// module that have none.  A bit is set for each that need not be looked
	// at again.
	std::uint32_t
	take(std::span<const std::uintptr_t> pcs, bool return_address) noexcept
	{
		std::uint32_t done = 1;
		if (!find_module(pcs[0] - return_address, module_))
			return done;
		for (std::size_t i = 0; i < pcs.size(); i++) {
			const std::uintptr_t key = pcs[i] - return_address;
			if (key < module_.lo || key >= module_.hi)
				continue;
			if (!has_cached_name(pcs[i], return_address)) {
				if (count_ == together)
					break;
				address_[count_++] = {pcs[i],
				    key - module_.bias, {}};
			}
			done |= std::uint32_t{1} << i;
		}
		return done;
	}

	void
	name_all(std::uint64_t stamp, bool return_address) noexcept
	{
		if (count_ == 0)
			return;
		const std::span all(address_, count_);
		symbol_name sym;
		search_module(module_, all, [&](const bytes &b,
		    const symbol_section &t) {
			module_.module_name(sym.module);
			for (const asked_address &a : all)
				cache_name(stamp, a.pc, return_address,
				    a.best.put(b, t, a.vaddr, return_address,
				    sym), sym);
		});
	}

private:
	module_image	module_{};
	asked_address	address_[together];
	std::size_t	count_ = 0;
};

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

void
elf_learn_nowait(std::span<const std::uintptr_t> pcs, bool return_address)
    noexcept
{
	const int error = errno;
	const std::uint64_t stamp = code_stamp();
	std::uint32_t done = 0;
	for (std::size_t i = 0; stamp != 0 && i < pcs.size() && i < 32; i++)
		if ((done >> i) % 2 == 0 &&
		    !has_cached_name(pcs[i], return_address)) {
			unknown_addresses some;
			done |= some.take(pcs.subspan(i, std::min<std::size_t>(
			    pcs.size(), 32) - i), return_address) << i;
			some.name_all(stamp, return_address);
		}
	errno = error;
}

} // namespace stack9
