// Finds perf maps, decides which owners to believe, reads maps again when they
// have changed, and keeps those of the last processes.
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

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "os/linux/clocks.h"
#include "os/linux/open_regular.h"
#include "os/linux/stat_line.h"

#include "image.h"

namespace stack9 {
namespace {

constexpr std::size_t many = 64;		// processes
struct owner {
	uid_t	real, effective;
	pid_t	inner;		// its process's pid in its own namespace
};

std::string
read_text(int fd, std::size_t most)
{
	std::string text(most, '\0');
	text.resize(bytes{fd}.read(0, text.data(), most));
	return text;
}

// The bytes of all maps that may still be read in this minute.
class minute {
public:
	bool
	take(std::uint64_t size) noexcept
	{
		constexpr std::int64_t length = 60'000'000'000;
		const std::lock_guard hold(lock_);
		const std::int64_t now = monotonic_ns();
		if (began_ == 0 || now - began_ > length) {
			began_ = now;
			taken_ = 0;
		}
		taken_ += size;
		return !budgets::exceeds(taken_, budgets::perf_maps_a_minute);
	}

private:
	std::mutex	lock_;
	std::int64_t	began_ = 0;
	std::uint64_t	taken_ = 0;
};
constinit minute this_minute;

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
		    !this_minute.take(want);
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

std::string
read_proc(pid_t tid, const char *name)
{
	const std::string path = "/proc/" + std::to_string(tid) + "/" + name;
	const unique_fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
	return fd ? read_text(fd.get(), 1 << 16) : std::string();
}

// The words behind a key of /proc/TID/status.
std::string_view
value_of(std::string_view status, std::string_view key) noexcept
{
	const auto at = status.find(key);
	if (at == status.npos)
		return {};
	status.remove_prefix(at + key.size());
	return status.substr(0, status.find('\n'));
}

// Returns the n-th of words that tabs separate; the last one if n < 0.
template <class T> bool
number_at(std::string_view text, int n, T &out) noexcept
{
	if (n < 0)
		return number(text.substr(text.rfind('\t') + 1), out);
	for (; n > 0; n--) {
		const auto tab = text.find('\t');
		if (tab == text.npos)
			return false;
		text.remove_prefix(tab + 1);
	}
	return number(text, out);
}

bool
read_owner(pid_t tid, owner &o)
{
	const std::string status = read_proc(tid, "status");
	const auto uids = value_of(status, "\nUid:\t");
	const auto pids = value_of(status, "\nNStgid:\t");
	return number_at(uids, 0, o.real) && number_at(uids, 1, o.effective) &&
	    number_at(pids, -1, o.inner);
}

// Finds a file for open_regular().  Follows links as the process would, not as
// we would.
unique_fd
find_below(int root, const char *path) noexcept
{
	open_how how{};
	how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
	how.resolve = RESOLVE_IN_ROOT;
	return unique_fd(static_cast<int>(syscall(SYS_openat2, root, path, &how,
	    sizeof(how))));
}

std::string
map_name(const owner &o)
{
	return "perf-" + std::to_string(o.inner) + ".map";
}

// Everybody can write into /tmp, so only maps of the process's owner and of
// root are believed.
unique_fd
open_map(pid_t tid, const owner &o, struct stat &st)
{
	const std::string dir = "/proc/" + std::to_string(tid) + "/root";
	const unique_fd root(open(dir.c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (!root)
		return unique_fd();
	const unique_fd seen = find_below(root.get(),
	    ("tmp/" + map_name(o)).c_str());
	unique_fd fd;
	if (!seen || open_regular(seen, fd, st) != 0 ||
	    (st.st_uid != 0 && st.st_uid != o.real && st.st_uid != o.effective))
		return unique_fd();
	return fd;
}

bool
is_still(const stack9_thread &td)
{
	thread_stat stat;
	return td.start == 0 ||
	    (parse_stat(read_proc(td.tid, "stat"), stat) &&
	    stat.start == td.start);
}

class process_map {
public:
	explicit process_map(const stack9_thread &td) noexcept : thread(td) {}

	const stack9_thread	thread;

	std::size_t memory() const noexcept { return memory_; }
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
		owner o;
		struct stat st;
		if (!read_owner(thread.tid, o))
			return;		// it has ended
		const unique_fd fd = open_map(thread.tid, o, st);
		if (!fd || is_as_it_was(st) || !is_still(thread))
			return;
		const std::int64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		read(fd.get());
		module_ = map_name(o);
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

constinit std::mutex lock;
// (m) the last used first; made at first use, never freed.
std::list<std::shared_ptr<process_map>> *maps;

std::shared_ptr<process_map>
map_of(const stack9_thread &td)
{
	std::lock_guard hold(lock);
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
		    budgets::perf_maps_kept) || ++few == many)
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
