// Makes lists of modules, and finds addresses in the newest one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "module_list.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

#include <unistd.h>

#include "os/address_space.h"
#include "os/loader_chain.h"

#include "generation.h"

namespace stack9::unwind {
namespace {

struct listed_module {
	loaded_module	module;
	bool		stays;
};

// One mapping: libstdc++ is not everywhere, and a profiler of malloc(3) would
// see a list there.
struct module_list {
	module_list	*older;
	load_counts	 counts;
	std::uint64_t	 seen;		// of the loader's counts
	std::size_t	 size, room;

	listed_module *begin() noexcept
	{
		return reinterpret_cast<listed_module *>(this + 1);
	}
	listed_module *end() noexcept { return begin() + size; }
};

constinit std::atomic<module_list *> newest{nullptr};
// Captures that are looking into a list.  A list that is no longer the newest
// is freed once there are none.
constinit std::atomic<std::uint32_t> lookers{0};
// The process in which a thread renews the list.
constinit std::atomic<pid_t> renewing_in{0};

std::size_t
bytes_of(std::size_t room) noexcept
{
	return sizeof(module_list) + room * sizeof(listed_module);
}

module_list *
new_list(std::size_t room) noexcept
{
	std::byte *const p = map_space(bytes_of(room));
	return p == nullptr ? nullptr : new (p) module_list{nullptr, {},
	    code_generation.loader_counts(), 0, room};
}

void
free_list(module_list *l) noexcept
{
	unmap_space(reinterpret_cast<std::byte *>(l), bytes_of(l->room));
}

// False: the list has too little room.  The counts are read before and after
// it, so a list that was overtaken is seen to be old.
bool
fill(module_list &l) noexcept
{
	bool fits = true;
	l.counts = each_loaded([&](const loaded_module &m, bool stays) {
		fits = l.size < l.room;
		if (fits)
			l.begin()[l.size++] = {m, stays};
		return fits;
	});
	std::sort(l.begin(), l.end(),
	    [](const listed_module &a, const listed_module &b) {
		return a.module.begin < b.module.begin;
	});
	return fits;
}

// NULL: there is no memory.
module_list *
make_list() noexcept
{
	for (std::size_t room = 64;; room *= 2) {
		module_list *const l = new_list(room);
		if (l == nullptr || fill(*l))
			return l;
		free_list(l);
	}
}

// A looker that begins after the exchange of the newest list finds that one, so
// without any now the older ones have none.
void
free_older(module_list &of) noexcept
{
	if (lookers.load() != 0)
		return;
	for (module_list *l = of.older; l != nullptr;) {
		module_list *const next = l->older;
		free_list(l);
		l = next;
	}
	of.older = nullptr;
}

bool
is_of_now(const module_list *l) noexcept
{
	return l != nullptr && l->seen == code_generation.loader_counts() &&
	    l->counts == each_loaded(
	    [](const loaded_module &, bool) { return false; });
}

void
renew() noexcept
{
	module_list *const before = newest.load();
	if (is_of_now(before))
		return;
	module_list *const l = make_list();
	if (l == nullptr)
		return;
	l->older = before;
	newest.store(l);
	lists_made.fetch_add(1);
	free_older(*l);
}

// A thread that unloads may take out of the chain the module that the search
// has just come to, and then the rest of the chain is not seen.  So a search
// that finds nothing counts only if nothing was loaded or unloaded during it.
bool
find_in_changing_chain(std::uintptr_t pc, loaded_module &module) noexcept
{
	constexpr int most = 8;
	for (int n = 0; n < most; n++) {
		const std::uint64_t before = code_generation.loader_counts();
		if (find_in_chain(pc, module))
			return true;
		if (code_generation.loader_counts() == before)
			return false;
	}
	return false;
}

// Runs after the constructor of generation.cc and reads the places it notes.
__attribute__((constructor(102))) void
list_at_load() noexcept
{
	if constexpr (!finds_loaded)
		renew_list();
}

} // namespace

// One thread at a time; another one that asks meanwhile goes on with the list
// that there is.  In a child of fork(2) no thread of its parent's does it.
void
renew_list() noexcept
{
	const pid_t here = getpid();
	if (renewing_in.exchange(here) == here)
		return;
	renew();
	renewing_in.store(0);
}

bool
find_listed(std::uintptr_t pc, loaded_module &module) noexcept
{
	lookers.fetch_add(1);
	bool found = false;
	if (module_list *const now = newest.load()) {
		const listed_module *const at = std::upper_bound(now->begin(),
		    now->end(), pc,
		    [](std::uintptr_t address, const listed_module &e) {
			return address < e.module.end;
		});
		found = at != now->end() && pc >= at->module.begin &&
		    (at->stays || (code_generation.known() &&
		    now->seen == code_generation.loader_counts()));
		if (found)
			module = at->module;
	}
	lookers.fetch_sub(1);
	return found || find_in_changing_chain(pc, module);
}

} // namespace stack9::unwind
