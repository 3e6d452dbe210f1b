// Reads perf maps, reads them again when they have changed, and keeps those of
// the last processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_map.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include <pthread.h>
#include <sys/stat.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "budgets/minute.h"
#include "os/clocks.h"
#include "os/forked_lock.h"
#include "os/stat_line.h"

#include "image.h"
#include "perf_map_file.h"

namespace stack9 {
namespace {

constexpr std::size_t most_processes = 64;

constinit budgets::minute text_of_minute(budgets::perf_maps_a_minute);

// Reads the text of a map, up to the first NUL: a sparse file has nothing else.
// cut is set if there is more.
std::string
read_map(int fd, bool &cut)
{
	constexpr std::size_t least = 64 << 10;
	std::string text;
	for (;;) {
		const std::size_t done = text.size();
		const std::size_t want = std::max(least, done);
		cut = budgets::exceeds(done + want, budgets::perf_map) ||
		    !text_of_minute.take(monotonic_ns(), want);
		if (cut)
			return text;
		text.resize(done + want);
		const std::size_t got = bytes{fd}.read(done,
		    text.data() + done, want);
		const void *const nul = memchr(text.data() + done, '\0', got);
		if (nul != nullptr)
			text.resize(static_cast<std::size_t>(
			    static_cast<const char *>(nul) - text.data()));
		else
			text.resize(done + got);
		if (nul != nullptr || got != want)
			return text;
	}
}

class process_map {
public:
	explicit process_map(const stack9_thread &td) noexcept : thread(td) {}

	const stack9_thread	thread;

	std::size_t memory() const noexcept { return memory_; }
	// In the child of a fork(2).  True: it may be half read.
	bool leave_in_child() noexcept { return free_in_child(lock_); }
	int
	find(std::uintptr_t pc, bool return_address, symbol_name &sym)
	{
		std::lock_guard hold(lock_);
		renew();
		const auto *const e = map_.find(pc - return_address);
		if (e == nullptr)
			return ENOENT;
		map_.name(*e, sym.name, sizeof(sym.name));
		copy_name(sym.module, module_);
		sym.offset = pc - e->start;
		sym.size = e->size;
		return 0;
	}

private:
	void
	renew()
	{
		const std::int64_t now = monotonic_ns();
		if (looked_ != 0 && now - looked_ < wait_)
			return;
		looked_ = now;
		pid_t inner;
		struct stat st;
		const unique_fd fd = open_perf_map(thread, inner);
		if (!fd || fstat(fd.get(), &st) != 0 || is_as_it_was(st))
			return;
		const std::int64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		read(fd.get());
		module_ = perf_map_name(inner);
		was_ = st;
		// A large map that grows is not read all the time.
		wait_ = std::max(second, 20 *
		    (clock_ns(CLOCK_THREAD_CPUTIME_ID) - began));
	}
	void
	read(int fd)
	{
		bool cut;
		map_ = perf_map();
		map_ = perf_map(read_map(fd, cut));
		memory_ = map_.memory();
		if (cut || map_.is_cut())
			leave_out(budgets::left_out::perf_maps);
	}
	bool
	is_as_it_was(const struct stat &st) const noexcept
	{
		return st.st_ino == was_.st_ino && st.st_dev == was_.st_dev &&
		    st.st_size == was_.st_size &&
		    st.st_mtim.tv_sec == was_.st_mtim.tv_sec &&
		    st.st_mtim.tv_nsec == was_.st_mtim.tv_nsec;
	}

	std::mutex	lock_;		// of all below
	static constexpr std::int64_t second = 1'000'000'000;
	std::int64_t	looked_ = 0, wait_ = second;
	std::atomic<std::size_t> memory_{0};
	struct stat	was_{};
	perf_map	map_;
	std::string	module_;
};

constinit std::mutex maps_lock;
// (m) the last used first; made at first use, never freed.
std::list<std::shared_ptr<process_map>> *maps;

// Threads that the child does not have may have been changing one.
void
maps_in_child() noexcept
{
	bool is_left = free_in_child(maps_lock);
	if (maps != nullptr && !is_left)
		for (const auto &m : *maps)
			is_left |= m->leave_in_child();
	if (is_left)
		maps = nullptr;		// it is leaked
}

const int maps_at_fork = pthread_atfork(nullptr, nullptr, maps_in_child);

std::shared_ptr<process_map>
map_of(const stack9_thread &td)
{
	std::lock_guard hold(maps_lock);
	if (maps == nullptr)
		maps = new std::list<std::shared_ptr<process_map>>;
	const auto at = std::ranges::find_if(*maps, [&](const auto &m) {
		return m->thread.tid == td.tid && m->thread.pid == td.pid &&
		    m->thread.start == td.start;
	});
	if (at != maps->end())
		maps->splice(maps->begin(), *maps, at);
	else
		maps->push_front(std::make_shared<process_map>(td));
	std::uint64_t kept = 0;
	std::size_t few = 0;		// that may be kept
	for (const auto &m : *maps)
		if (budgets::exceeds(kept += m->memory(),
		    budgets::perf_maps_kept) || ++few == most_processes)
			break;
	maps->resize(std::max<std::size_t>(few, 1));
	return maps->front();
}

} // namespace

int
perf_find(const stack9_thread &td, std::uintptr_t pc, bool return_address,
    symbol_name &sym)
{
	return map_of(td)->find(pc, return_address, sym);
}

} // namespace stack9
