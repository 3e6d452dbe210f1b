// Names this process's own functions.  Each loaded module has a table.  The
// table is kept for as long as the loader says that nothing was loaded or
// unloaded, and after that for as long as the module is still the same one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include <link.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include "core/seam/symbols.h"
#include "os/forked_lock.h"

#include "elf_table.h"
#include "image.h"
#include "name_cache.h"
#include "opened_elf.h"

namespace stack9 {
namespace {

// The counters of dl_iterate_phdr(): if they are equal, no module came or went.
struct loader_stamp {
	unsigned long long adds = 0, subs = 0;

	bool operator==(const loader_stamp &) const = default;
};

struct found_module {
	std::uintptr_t	key;		// in: an address
	module_image	image;
	loader_stamp	stamp;
	char		path[PATH_MAX];	// image.path
};

struct cached_module {
	module_image	image;
	loader_stamp	stamp;		// when it was last seen to be loaded
	std::string	path;		// image.path
	elf_table	table;
	elf_table	debug;		// where table is not whole
	bool		debug_read = false;
	char		name[sizeof(symbol_name::module)];
};

// Keyed by lo.  A table of libc's costs 100 KiB.
class module_cache {
	static constexpr std::size_t many = 64;
	std::map<std::uintptr_t, cached_module> modules;

public:
	cached_module *find(std::uintptr_t key);
	cached_module &get(const found_module &);
};

// The lock is never held while the loader's lock is asked for: a caller may
// hold the loader's lock (dl_iterate_phdr) and come here.
constinit std::mutex cache_lock;
constinit module_cache *cache;		// (m) made at first use, never freed

// In the child of a process with several threads the loader's lock may be held
// for ever (glibc 2.36), so the child never asks for it.
std::atomic<bool> threads_at_fork{false};
std::atomic<bool> avoid_loader{false};

void
before_fork() noexcept
{
	threads_at_fork = !__libc_single_threaded;
}

void
modules_in_child() noexcept
{
	if (threads_at_fork)
		avoid_loader = true;
	if (free_in_child(cache_lock))
		cache = nullptr;	// may be half changed: it is leaked
}

const int modules_at_fork = pthread_atfork(before_fork, nullptr,
    modules_in_child);

int
take_stamp(dl_phdr_info *info, std::size_t, void *arg)
{
	*static_cast<loader_stamp *>(arg) = {info->dlpi_adds, info->dlpi_subs};
	return 1;
}

bool
bounds(const dl_phdr_info &info, module_image &m) noexcept
{
	bool any = false;
	const std::uintptr_t page = static_cast<std::uintptr_t>(getpagesize());
	for (unsigned int i = 0; i < info.dlpi_phnum; i++) {
		const ElfW(Phdr) &ph = info.dlpi_phdr[i];
		if (ph.p_type != PT_LOAD)
			continue;
		const std::uintptr_t start = info.dlpi_addr + ph.p_vaddr;
		const std::uintptr_t lo = start & ~(page - 1);
		m.lo = any ? std::min(m.lo, lo) : lo;
		m.hi = any ? std::max(m.hi, start + ph.p_memsz) :
		    start + ph.p_memsz;
		any = true;
	}
	m.bias = info.dlpi_addr;
	return any;
}

// The loader's lock is held, so nothing is allocated: an allocator may walk
// stacks.
int
match_module(dl_phdr_info *info, std::size_t, void *arg)
{
	found_module &f = *static_cast<found_module *>(arg);
	module_image &m = f.image;
	if (!bounds(*info, m) || f.key < m.lo || f.key >= m.hi)
		return 0;
	f.stamp = {info->dlpi_adds, info->dlpi_subs};
	const std::size_t n = strnlen(info->dlpi_name, sizeof(f.path) - 1);
	memcpy(f.path, info->dlpi_name, n);
	f.path[n] = '\0';
	m.path = f.path;
	m.id = mapped_build_id(m.lo, m.hi, m.bias);
	return 1;
}

// False if the file could not be opened, perhaps for want of a descriptor.
bool
read_table(const module_image &m, elf_table &table)
{
	unique_fd fd;
	unique_elf elf;
	if (m.is_vdso()) {
		// The section headers of the vdso lie after its one segment, in
		// the same page.
		const std::size_t page = sysconf(_SC_PAGESIZE);
		const std::size_t size = (m.hi - m.lo + page - 1) & ~(page - 1);
		elf.reset(process::begin_elf(reinterpret_cast<char *>(m.lo),
		    size));
	} else {
		fd = m.open_file(m.lo);
		elf = open_elf(fd.get());
	}
	if (elf)
		table = elf_table(fd.get(), elf.get());
	return elf != nullptr;
}

cached_module *
module_cache::find(std::uintptr_t key)
{
	const auto next = modules.upper_bound(key);
	if (next == modules.begin())
		return nullptr;
	cached_module &m = std::prev(next)->second;
	return key < m.image.hi ? &m : nullptr;
}

cached_module &
module_cache::get(const found_module &f)
{
	const module_image &is = f.image;
	cached_module *was = find(f.key);
	if (was != nullptr && was->image.lo == is.lo &&
	    was->image.hi == is.hi && was->image.bias == is.bias &&
	    was->path == f.path && is.id.size != 0 && was->image.id == is.id &&
	    was->table.size() != 0) {
		was->stamp = f.stamp;
		return *was;
	}
	std::erase_if(modules, [&](const auto &item) {
		const cached_module &m = item.second;
		return (m.image.lo < is.hi && is.lo < m.image.hi) ||
		    (modules.size() >= many && m.stamp != f.stamp);
	});
	cached_module &m = modules[is.lo];
	try {
		m.image = is;
		m.path = f.path;
		m.image.path = m.path.c_str();
		m.image.module_name(m.name);
		if (read_table(m.image, m.table))
			m.stamp = f.stamp;	// false: it is tried again
	} catch (...) {
		modules.erase(is.lo);
		throw;
	}
	return m;
}

const elf_table::entry *
find_in(const elf_table &table, std::uintptr_t vaddr, bool return_address)
    noexcept
{
	const elf_table::entry *e = table.find(vaddr - return_address);
	if (e != nullptr || return_address)
		return e;
	// The address may be right after a call in last position.
	e = table.find(vaddr - 1);
	return e != nullptr && vaddr - e->start == e->size ? e : nullptr;
}

// Reads the debug file once, when an address has no name without it.
const elf_table &
debug_table(cached_module &m)
{
	if (!m.debug_read && !m.table.whole() && !m.image.is_vdso())
		m.debug_read = read_debug_table(m.image, m.debug);
	return m.debug;
}

int
fill(cached_module &m, std::uintptr_t pc, bool return_address,
    symbol_name &sym)
{
	const std::uintptr_t vaddr = pc - m.image.bias;
	const elf_table *table = &m.table;
	const elf_table::entry *e = find_in(*table, vaddr, return_address);
	if (e == nullptr) {
		table = &debug_table(m);
		e = find_in(*table, vaddr, return_address);
	}
	if (e == nullptr)
		return ENOENT;
	const std::string_view name = table->name(*e);
	const std::size_t fits = std::min(name.size(), name_max - 1);
	memcpy(sym.name, name.data(), fits);
	sym.name[fits] = '\0';
	memcpy(sym.module, m.name, sizeof(sym.module));
	sym.offset = vaddr - e->start;
	sym.size = e->size;
	return 0;
}

int
find_anew(std::uintptr_t pc, bool return_address, symbol_name &sym)
{
	found_module f;
	f.key = pc - return_address;
	if (dl_iterate_phdr(match_module, &f) == 0)	// may be of dlmopen()
		return elf_find_nowait(pc, return_address, sym);
	std::lock_guard hold(cache_lock);
	if (cache == nullptr)
		cache = new module_cache;
	return fill(cache->get(f), pc, return_address, sym);
}

int
find(std::uintptr_t pc, bool return_address, symbol_name &sym)
{
	loader_stamp now;
	dl_iterate_phdr(take_stamp, &now);
	{
		std::lock_guard hold(cache_lock);
		cached_module *m =
		    cache ? cache->find(pc - return_address) : nullptr;
		if (m != nullptr && m->stamp == now)
			return fill(*m, pc, return_address, sym);
	}
	return find_anew(pc, return_address, sym);
}

} // namespace

int
elf_find(std::uintptr_t pc, bool return_address, symbol_name &sym) noexcept
{
	if (!avoid_loader) {
		const int error = errno;
		const std::uint64_t stamp = code_stamp();
		try {
			const int result = find(pc, return_address, sym);
			// _ddb calls may ask for it later.
			if (result == 0)
				cache_name(stamp, pc, return_address, 0, sym);
			errno = error;
			return result;
		} catch (const std::bad_alloc &) {
			errno = error;
		}
	}
	return elf_find_nowait(pc, return_address, sym);
}

} // namespace stack9
