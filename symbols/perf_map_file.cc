// Finds the perf map of a process, and decides which owners to believe.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_map_file.h"

#include <string_view>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "core/seam/outside.h"
#include "os/stat_line.h"
#include "process/far_files.h"

#include "image.h"

namespace stack9 {
namespace {

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

std::string
read_proc(pid_t tid, const char *name)
{
	const std::string path = "/proc/" + std::to_string(tid) + "/" + name;
	const unique_fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
	return fd ? read_text(fd.get(), 1 << 16) : std::string();
}

// The words after a key of /proc/TID/status.
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

// Everybody can write into /tmp, so only maps of the process's owner and of
// root are believed.
unique_fd
open_map(pid_t tid, const owner &o)
{
	struct stat st;
	const std::string dir = "/proc/" + std::to_string(tid) + "/root";
	const unique_fd root(open(dir.c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (!root)
		return unique_fd();
	// Follows links as the process would, not as we would.
	const std::string path = "tmp/" + perf_map_name(o.inner);
	unique_fd fd;
	if (process::open_wherever(root.get(), {path.c_str(), 0, O_NOFOLLOW,
	    RESOLVE_IN_ROOT}, fd, st) != 0 ||
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

} // namespace

std::string
perf_map_name(pid_t inner)
{
	return "perf-" + std::to_string(inner) + ".map";
}

unique_fd
open_perf_map(const stack9_thread &td, pid_t &inner)
{
	if (outside *const o = the_outside.load())
		return o->open_perf_map(inner);
	owner its;
	if (!read_owner(td.tid, its))
		return unique_fd();	// it has ended
	unique_fd fd = open_map(td.tid, its);
	inner = its.inner;
	return is_still(td) ? std::move(fd) : unique_fd();
}

} // namespace stack9
