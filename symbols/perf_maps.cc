// Finds perf maps, decides which owners to believe, reads maps again when they
// have changed, and keeps those of the last processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_map.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "os/linux/clocks.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include "os/linux/stat_line.h"
#include <sys/stat.h>
#include <sys/syscall.h>

#include "image.h"

namespace stack9 {
namespace {

constexpr std::size_t many = 64;		// processes
constexpr std::size_t much = 256 << 20;		// bytes of one map

struct owner {
	uid_t	real, effective;
	pid_t	inner;		// its pid in its own namespace
};

std::string
read_text(int fd, std::size_t most)
{
	std::string text;
	std::size_t done = 0;
	while (done < most) {
		text.resize(std::min(most, std::max<std::size_t>(4096,
		    text.size() * 2)));
		const bytes b{fd};
		const std::size_t want = text.size() - done;
		const std::size_t got = b.read(done, text.data() + done, want);
		done += got;
		if (got != want)
			break;
	}
	text.resize(done);
	return text;
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
	const auto pids = value_of(status, "\nNSpid:\t");
	return number_at(uids, 0, o.real) && number_at(uids, 1, o.effective) &&
	    number_at(pids, -1, o.inner);
}

// Follows links as the process would, not as we would.
unique_fd
open_below(int root, const char *path) noexcept
{
	open_how how{};
	how.flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
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
	unique_fd fd = open_below(root.get(), ("tmp/" + map_name(o)).c_str());
	if (!fd || fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode) ||
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
		if (looked_ != 0 && now - looked_ < 1000000000)
			return;
		looked_ = now;
		owner o;
		struct stat st;
		if (!read_owner(thread.tid, o))
			return;		// it has ended
		const unique_fd fd = open_map(thread.tid, o, st);
		if (!fd || is_as_it_was(st) || !is_still(thread))
			return;
		map_ = perf_map(read_text(fd.get(), much));
		module_ = map_name(o);
		was_ = st;
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
	std::int64_t	looked_ = 0;
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
	if (maps->size() > many)
		maps->pop_back();
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
