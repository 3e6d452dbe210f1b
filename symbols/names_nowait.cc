// Finds names of this process without lock or heap.  Every lookup of an address
// that was not asked for before reads the whole symbol table of its module, so
// the addresses of a stack are looked up together.  Exported functions are
// found in memory, where the loader looks for them; the module's file is read
// for the others, and its debug file where that one has no static functions.
// Safe in a signal handler that interrupts malloc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <span>

#include "budgets/budgets.h"
#include "core/seam/symbols.h"
#include "unwind/module.h"

#include "asked_address.h"
#include "debug_nowait.h"
#include "lookup_buffer.h"
#include "name_cache.h"
#include "symbol_choice.h"
#include "symbol_section.h"

namespace stack9 {
namespace {

// Rejected: dl_iterate_phdr(), because it takes the loader's lock.
bool
find_module(std::uintptr_t key, module_image &m) noexcept
{
	unwind::loaded_module found;
	if (!unwind::find_module(key, found))
		return false;
	m.lo = found.begin;
	m.hi = found.end;
	m.bias = found.bias;
	m.path = found.path;
	m.dynamic = found.dynamic;
	return true;
}

// The section headers of the vdso lie after its one segment, in the same page.
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
			m.id = m.mapped_id();
			fd = m.open_file(m.lo);
		}
		b = bytes{fd.get(), 0, fd ? SIZE_MAX : 0};
	}
	return fd;
}

// The exported symbols of a module, in memory.
struct loaded_table {
	bytes		all;
	symbol_section	symbols;
	bool		found;

	loaded_table(const module_image &m, loader_room room) noexcept :
	    all(m.memory()), found(m.dynamic != 0 &&
	    symbols.find_loaded(all, m.dynamic, m.bias, room) &&
	    !budgets::exceeds(symbols.size, budgets::symbols)) {}
};

// Calls f with the table and each address that an exported function covers, and
// moves the others to the front.  Returns their number.
template <class F> std::size_t
search_memory(const loaded_table &t, std::span<asked_address> all,
    lookup_buffer &buffer, F f) noexcept
{
	if (!t.found)
		return all.size();
	consider_all(t.all, t.symbols, buffer.symbols(t.all,
	    t.symbols.size), all);
	std::size_t left = 0;
	for (asked_address &a : all)
		if (a.best.exported())
			f(t.all, t.symbols, a);
		else
			all[left++] = a;
	return left;
}

// Remembers what is true of a module's files, as the answer for an address that
// no code can have.
class module_fact {
public:
	enum fact { stripped = 62, no_debug_file = 61 };

	module_fact(const module_image &m, fact which) noexcept :
	    place_(m.lo | std::uintptr_t{1} << which) {}

	bool
	is_known() const noexcept
	{
		return has_cached_name(place_, false);
	}
	void
	remember(std::uint64_t stamp) const noexcept
	{
		cache_name(stamp, place_, false, ENOENT, nothing);
	}

private:
	static constexpr symbol_name	nothing{};
	const std::uintptr_t		place_;
};

// Calls f for each address that a table without static functions has a name
// for, and looks for the others in the module's debug file.
template <class F> bool
complete(module_image &m, std::uint64_t stamp, const bytes &b,
    const symbol_section &t, std::span<asked_address> all,
    lookup_buffer &buffer, F f) noexcept
{
	const module_fact none(m, module_fact::no_debug_file);
	std::size_t left = 0;
	for (asked_address &a : all)
		if (a.best.has_name(a.pc - m.bias != a.vaddr))
			f(b, t, a);
		else
			all[left++] = a;
	all = all.first(left);
	bytes debug_file;
	symbol_section debug;
	unique_fd hold;
	if (!all.empty() && !m.is_vdso() && !none.is_known()) {
		const int error = open_debug_nowait(m, buffer.beginning(),
		    hold);
		if (error != 0 && error != ENOENT)
			return false;
		debug_file = bytes{hold.get()};
		if (error != 0 || !debug.find(debug_file, buffer.headers()) ||
		    !debug.whole ||
		    budgets::exceeds(debug.size, budgets::symbols)) {
			debug = {};
			none.remember(stamp);
		}
	}
	if (debug.size != 0)
		consider_all(debug_file, debug, buffer.symbols(debug_file,
		    debug.size), all);
	const bool has = debug.size != 0;
	for (const asked_address &a : all)
		f(has ? debug_file : b, has ? debug : t, a);
	return true;
}

// Reads the tables once for all addresses, and calls f with the table for each
// address.  False: for some no table could be read, perhaps for want of a
// descriptor.
template <class F> bool
search_module(module_image &m, std::uint64_t stamp,
    std::span<asked_address> all, F f) noexcept
{
	lookup_buffer buffer;
	const loaded_table loaded(m, buffer.loader());
	const std::span rest = all.first(search_memory(loaded, all, buffer, f));
	if (rest.empty())
		return true;
	const module_fact stripped(m, module_fact::stripped);
	if (loaded.found && stripped.is_known())
		return complete(m, stamp, loaded.all, loaded.symbols, rest,
		    buffer, f);
	bytes b;
	symbol_section t;
	const unique_fd hold = open_bytes(m, buffer.beginning(), b);
	if (!t.find(b, buffer.headers()) ||
	    budgets::exceeds(t.size, budgets::symbols))
		return false;
	if (!t.whole && loaded.found) {
		stripped.remember(stamp);
		return complete(m, stamp, loaded.all, loaded.symbols, rest,
		    buffer, f);
	}
	for (asked_address &a : rest)
		a.best = {};
	consider_all(b, t, buffer.symbols(b, t.size), rest);
	if (!t.whole)
		return complete(m, stamp, b, t, rest, buffer, f);
	for (const asked_address &a : rest)
		f(b, t, a);
	return true;
}

// 0; ENOENT: its module has no such function; EAGAIN: no table could be read.
int
find_in_process(std::uintptr_t pc, bool return_address, std::uint64_t stamp,
    symbol_name &sym) noexcept
{
	module_image m;
	if (!find_module(pc - return_address, m))
		return EAGAIN;
	int result = ENOENT;
	asked_address one{pc, pc - return_address - m.bias, {}};
	if (!search_module(m, stamp, {&one, 1}, [&](const bytes &b,
	    const symbol_section &t, const asked_address &a) {
		result = a.best.put(b, t, a.vaddr, return_address, sym);
	}))
		return EAGAIN;
	if (result == 0)
		m.module_name(sym.module);
	return result;
}

class unknown_addresses {
public:
	// Takes the first (it has no name yet) and those others of its module
	// that have none.  A bit is set for each that need not be looked at
	// again.
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
		symbol_name sym;
		module_.module_name(sym.module);
		search_module(module_, stamp, {address_, count_},
		    [&](const bytes &b, const symbol_section &t,
		    const asked_address &a) {
			cache_name(stamp, a.pc, return_address, a.best.put(b,
			    t, a.vaddr, return_address, sym), sym);
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
	const int result = find_in_process(pc, return_address, stamp, sym);
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
	expect_names();
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
