// Reads memory and opens files for the reader.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "services.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/seam/debug_dirs.h"
#include "os/open_task.h"
#include "process/absent_pages.h"
#include "process/far_files.h"
#include "symbols/perf_map_file.h"

#include "fetch.h"

namespace stack9::sandbox {
namespace {

// Words, instructions and constants are read so, never whole tables.
constexpr std::size_t memory_max = 1 << 16;

bool
is_elf(int fd) noexcept
{
	char magic[SELFMAG];
	return pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	    std::memcmp(magic, ELFMAG, sizeof magic) == 0;
}

} // namespace

bool
services::bring_in(std::uint64_t from, std::uint64_t size) const noexcept
{
	unique_fd task;
	return open_task(whose_.tid, whose_.start, task) == 0 &&
	    process::bring_in(task.get(), from, size);
}

bool
services::read_now(std::uint64_t from, void *to, std::size_t size) noexcept
{
	return (kept_ != nullptr ? kept_->read(from, to, size) :
	    memory_.read_present(from, to, size)) ==
	    static_cast<ssize_t>(size);
}

void
services::read_memory(message &m)
{
	m.get<std::uint32_t>();		// of the walk: see begun_walks.cc
	const auto from = m.get<std::uint64_t>();
	const auto size = m.get<std::uint64_t>();
	std::array<char, memory_max> bytes;
	const bool done = size != 0 && size <= bytes.size() &&
	    (read_now(from, bytes.data(), size) || (kept_ == nullptr &&
	    bring_in(from, size) && read_now(from, bytes.data(), size)));
	m.begin(kind::reply);
	if (done)
		m.put_bytes(bytes.data(), size);
}

void
services::read_parts(message &m)
{
	struct wanted {
		std::uint64_t	from;
		std::uint32_t	size;
	};
	std::array<wanted, parts_at_once> all;
	std::array<char, part_max> bytes;
	std::size_t n = 0;
	m.get<std::uint32_t>();		// of the walk
	for (; n < all.size(); n++) {
		all[n].from = m.get<std::uint64_t>();
		all[n].size = m.get<std::uint32_t>();
		if (!m.whole())
			break;
	}
	m.begin(kind::reply);
	for (std::size_t i = 0; i < n; i++) {
		const std::uint32_t size = all[i].size;
		const bool is_read = size != 0 && size <= bytes.size() &&
		    read_now(all[i].from, bytes.data(), size);
		m.put(is_read);
		if (is_read)
			m.put_bytes(bytes.data(), size);
	}
}

// The descriptor is of this process alone.  It gives nothing after execve(2),
// or after the process has ended.
void
services::open_memory(message &m, unique_fd &fd) const noexcept
{
	unique_fd task;
	m.get<std::uint32_t>();		// of the walk
	const char *const file = m.get<bool>() ? "pagemap" : "mem";
	if (kept_ == nullptr && open_task(whose_.tid, whose_.start, task) == 0)
		fd = unique_fd(openat(task.get(), file, O_RDONLY | O_CLOEXEC));
	m.begin(kind::reply);
}

void
services::open_elf(message &m, unique_fd &fd)
{
	const std::string path(m.get_text());
	struct stat st;
	int error = path.empty() || path.find('\0') != path.npos ? ENOENT :
	    process::open_wherever(AT_FDCWD, {path.c_str()}, fd, st);
	for (const std::string &other : debug_dirs::others(path))
		if (error == ENOENT)
			error = process::open_wherever(AT_FDCWD,
			    {other.c_str()}, fd, st);
	if (error == 0 && !is_elf(fd.get())) {
		fd.reset();
		error = ENOENT;
	}
	m.begin(kind::reply);
	m.put(error);
}

void
services::open_perf_map(message &m, unique_fd &fd)
{
	pid_t inner = 0;
	fd = stack9::open_perf_map(whose_, inner);
	m.begin(kind::reply);
	m.put(inner);
}

void
services::fetch(message &m, unique_fd &fd)
{
	const std::string id(m.get_text());
	fd = fetch_apart({reinterpret_cast<const unsigned char *>(id.data()),
	    id.size()}, file_kind::debug);
	m.begin(kind::reply);
}

// A walk opens nothing, because it is done with rights that the caller of the
// program may not have.  The refusal is an answer: an honest reader of a
// strange program may come to ask, and its end would cost other stacks.
bool
services::serve(message &m, unique_fd &fd)
{
	const bool may_open = question_ == kind::describe ||
	    question_ == kind::lines || question_ == kind::run;
	const bool may_read = question_ == kind::walk ||
	    question_ == kind::walks || question_ == kind::written ||
	    question_ == kind::tasks || question_ == kind::rules;
	if (m.what == kind::read_memory && may_read)
		read_memory(m);
	else if (m.what == kind::read_parts && may_read)
		read_parts(m);
	else if (m.what == kind::open_memory && may_read)
		open_memory(m, fd);
	else if (m.what == kind::open_elf && may_open)
		open_elf(m, fd);
	else if (m.what == kind::open_perf_map && may_open)
		open_perf_map(m, fd);
	else if (m.what == kind::fetch && may_open)
		fetch(m, fd);
	else
		return refuse(m);
	return true;
}

bool
services::refuse(message &m)
{
	const kind what = m.what;
	m.begin(kind::reply);
	if (what == kind::open_elf)
		m.put(EPERM);
	else if (what == kind::open_perf_map)
		m.put(pid_t{0});
	return what == kind::read_memory || what == kind::read_parts ||
	    what == kind::open_memory || what == kind::open_elf ||
	    what == kind::open_perf_map || what == kind::fetch;
}

} // namespace stack9::sandbox
