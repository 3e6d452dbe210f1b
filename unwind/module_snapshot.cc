// Keeps the list of this process's modules where the C library cannot say
// without a lock which of them has an address (musl).
//
// dl_iterate_phdr(3) takes the loader's lock, so no capture calls it.  The list
// is made when this library is loaded, and again by calls that may take locks
// (names, spaces).  A capture that meets a module loaded since ends there, with
// the usual reason of code without unwind information.  musl never unmaps a
// module, so what the list says stays true; an old list is never freed, because
// a capture may be reading it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "module.h"

#ifdef STACK9_MODULE_SNAPSHOT

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <vector>

#include <unistd.h>

namespace stack9::unwind {

constinit std::uint32_t module_snapshots = 0;

namespace {

struct listed_module {
	loaded_module	module;
	link_map	object;
};

struct module_list {
	std::vector<listed_module>	entries;	// by address
	unsigned long long	loads = 0;
};

constinit std::atomic<const module_list *> newest_list{nullptr};

void
add_to_list(const dl_phdr_info &info, module_list &to)
{
	listed_module e{};
	e.module.begin = UINTPTR_MAX;
	for (unsigned int i = 0; i < info.dlpi_phnum; i++) {
		const ElfW(Phdr) &p = info.dlpi_phdr[i];
		const std::uintptr_t at = info.dlpi_addr + p.p_vaddr;
		if (p.p_type == PT_GNU_EH_FRAME)
			e.module.eh_frame_hdr =
			    reinterpret_cast<const void *>(at);
		if (p.p_type == PT_DYNAMIC)
			e.object.l_ld = reinterpret_cast<ElfW(Dyn) *>(at);
		if (p.p_type != PT_LOAD)
			continue;
		e.module.begin = std::min(e.module.begin, at);
		e.module.end = std::max(e.module.end, at + p.p_memsz);
	}
	if (e.module.end == 0)
		return;
	const auto page = static_cast<std::uintptr_t>(getpagesize());
	e.module.begin &= ~(page - 1);
	e.object.l_addr = info.dlpi_addr;
	e.object.l_name = const_cast<char *>(
	    info.dlpi_name == nullptr ? "" : info.dlpi_name);
	to.entries.push_back(e);
}

int
list_module(dl_phdr_info *info, std::size_t, void *arg) noexcept
{
	auto &to = *static_cast<module_list *>(arg);
	to.loads = info->dlpi_adds;
	try {
		add_to_list(*info, to);
		return 0;
	} catch (const std::bad_alloc &) {
		return 1;
	}
}

int
read_module_loads(dl_phdr_info *info, std::size_t, void *arg) noexcept
{
	*static_cast<unsigned long long *>(arg) = info->dlpi_adds;
	return 1;
}

__attribute__((constructor(101))) void
list_at_load() noexcept
{
	renew_modules();
}

} // namespace

void
renew_modules() noexcept
{
	const module_list *last = newest_list.load(std::memory_order_acquire);
	unsigned long long loads = 0;
	dl_iterate_phdr(read_module_loads, &loads);
	if (last != nullptr && last->loads == loads)
		return;
	std::unique_ptr<module_list> made(new (std::nothrow) module_list);
	if (made == nullptr || dl_iterate_phdr(list_module, made.get()) != 0)
		return;
	std::sort(made->entries.begin(), made->entries.end(),
	    [](const listed_module &a, const listed_module &b) {
		return a.module.begin < b.module.begin;
	});
	for (listed_module &e : made->entries)
		e.module.object = &e.object;
	// One of two that were made at a time is enough; the next question
	// compares the counts again.
	if (!newest_list.compare_exchange_strong(last, made.get(),
	    std::memory_order_acq_rel))
		return;
	static_cast<void>(made.release());
	__atomic_fetch_add(&module_snapshots, 1, __ATOMIC_RELEASE);
}

bool
find_module(std::uintptr_t pc, loaded_module &module) noexcept
{
	const module_list *const now =
	    newest_list.load(std::memory_order_acquire);
	if (now == nullptr)
		return false;
	const auto at = std::upper_bound(now->entries.begin(),
	    now->entries.end(), pc,
	    [](std::uintptr_t address, const listed_module &e) {
		return address < e.module.end;
	});
	if (at == now->entries.end() || pc < at->module.begin)
		return false;
	module = at->module;
	return true;
}

} // namespace stack9::unwind

#endif // STACK9_MODULE_SNAPSHOT
