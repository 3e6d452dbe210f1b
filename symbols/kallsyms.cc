// Names kernel addresses by /proc/kallsyms.  It decides who reads the file and
// when, and lets readers, signal handlers among them, use one table while the
// next is made.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>

#include "os/clocks.h"
#include "os/forked_lock.h"
#include <fcntl.h>
#include <pthread.h>
#include "core/seam/symbols.h"

#include "image.h"
#include "kallsyms_table.h"

namespace stack9 {
namespace {

// A table lives in a slot.  A reader pins the slot and then checks whether the
// slot is still the current one.  The loader fills only a slot that is neither
// current nor pinned.  So no reader waits, and memory is bounded: a reader that
// is stopped in the middle holds one slot, and while all slots are held the
// last table stays.
struct slot {
	std::atomic<unsigned int>		pins{0};
	std::atomic<const kallsyms_table *>	table{nullptr};
};
constinit std::array<slot, 3> slots;
constinit std::atomic<int> current{-1};

constinit std::mutex loading;
constinit std::atomic<std::int64_t> read_at{0};	// (m) ns; 0: never
constinit std::atomic<int> read_error{0};	// (m) of the last reading
constexpr std::int64_t pause_ns = 1000000000;

class table_reader {
	slot	*mine = nullptr;

public:
	table_reader() noexcept
	{
		for (int i; (i = current.load()) >= 0;) {
			slot &s = slots[i];
			s.pins.fetch_add(1);
			if (current.load() == i) {
				mine = &s;
				return;
			}
			s.pins.fetch_sub(1);
		}
	}
	table_reader(const table_reader &) = delete;
	~table_reader() { if (mine != nullptr) mine->pins.fetch_sub(1); }

	const kallsyms_table *
	operator->() const noexcept
	{
		return mine->table.load(std::memory_order_relaxed);
	}
	explicit operator bool() const noexcept { return mine != nullptr; }
};

// In the child of a fork no thread owns the other threads' pins and lock.
void
kallsyms_in_child() noexcept
{
	for (slot &s : slots)
		s.pins = 0;
	free_in_child(loading);
}

const int kallsyms_at_fork = pthread_atfork(nullptr, nullptr,
    kallsyms_in_child);

// The kernel gives at most a page for each read, and its formatting takes most
// of the time.  If all addresses are hidden, the first block shows it.
int
read_file(kallsyms_table &table)
{
	constexpr std::size_t block = 64 << 10;
	unique_fd fd(open("/proc/kallsyms", O_RDONLY | O_CLOEXEC));
	if (!fd)
		return errno == EACCES ? EPERM : errno;
	const auto buf = std::make_unique<char[]>(block);
	std::size_t have = 0;
	for (;;) {
		const ssize_t n =
		    read(fd.get(), buf.get() + have, block - have);
		if (n < 0 && errno != EINTR)
			return errno;
		have += n > 0 ? static_cast<std::size_t>(n) : 0;
		if (n > 0 && have < block)
			continue;
		const std::size_t used = table.add({buf.get(), have});
		if (n == 0)
			break;
		if (table.hidden())
			return EPERM;
		have = used != 0 ? have - used : 0;	// 0: no line
		memmove(buf.get(), buf.get() + used, have);
	}
	table.finish();
	return table.hidden() ? EPERM : table.size() == 0 ? ENOENT : 0;
}

void
publish(std::unique_ptr<const kallsyms_table> table) noexcept
{
	for (slot &s : slots) {
		const int i = static_cast<int>(&s - slots.data());
		if (i == current.load() || s.pins.load() != 0)
			continue;
		delete s.table.exchange(nullptr);
		s.table.store(table.release());
		current.store(i);
		return;
	}
}

// Reads the file unless it was read less than a second ago, or after since, the
// time at which the caller began.
int
load(std::int64_t since) noexcept
{
	std::lock_guard hold(loading);
	const std::int64_t last = read_at;
	if (last != 0 && (last >= since || since - last < pause_ns))
		return read_error;
	int error = 0;
	try {
		auto table = std::make_unique<kallsyms_table>();
		error = read_file(*table);
		if (error == 0)
			publish(std::move(table));
	} catch (const std::bad_alloc &) {
		error = ENOMEM;
	} catch (const std::length_error &) {
		error = ENOMEM;
	}
	read_at = monotonic_ns();
	read_error = error;
	return error;
}

} // namespace

int
kallsyms_readable() noexcept
{
	constexpr std::size_t block = 64 << 10;
	const unique_fd fd(open("/proc/kallsyms", O_RDONLY | O_CLOEXEC));
	if (!fd)
		return errno == EACCES ? EPERM : errno;
	try {
		const auto buf = std::make_unique<char[]>(block);
		const ssize_t n = read(fd.get(), buf.get(), block);
		kallsyms_table table;
		if (n > 0)
			table.add({buf.get(), static_cast<std::size_t>(n)});
		return n < 0 ? errno : table.hidden() ? EPERM : 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

bool
kallsyms_loaded() noexcept
{
	return current.load() >= 0;
}

int
kallsyms_find_nowait(std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept
{
	const table_reader r;
	if (r)
		return r->find(pc, return_address, sym);
	// Another call may have found that the names are hidden.
	return read_error.load() == EPERM ? EPERM : EAGAIN;
}

int
kallsyms_find(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept
{
	int error = kallsyms_find_nowait(pc, return_address, sym);
	if (error == 0)
		return 0;
	const bool had_table = error == ENOENT;
	const int saved = errno;
	error = load(monotonic_ns());
	errno = saved;
	if (error != 0 && !had_table)
		return error;
	return kallsyms_find_nowait(pc, return_address, sym);
}

} // namespace stack9
