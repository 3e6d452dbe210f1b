// Reads the text of /proc/TID/maps.  A process of 60,000 mappings has a text of
// 4 MB, which the kernel writes a page at a time; the kernel's part is the slow
// one.  A text beyond its budget is cut behind its last whole line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "maps.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "os/linux/proc_error.h"
#include "os/linux/unique_fd.h"

namespace stack9::process {
namespace {

constexpr std::size_t first_size = 64 << 10;
constexpr std::size_t least_free = 8 << 10;	// more than a read gives

std::size_t
whole_lines(const void *text, std::size_t size) noexcept
{
	const void *const last = memrchr(text, '\n', size);
	return last == nullptr ? 0 : static_cast<std::size_t>(
	    static_cast<const char *>(last) - static_cast<const char *>(text)) +
	    1;
}

} // namespace

int
read_maps(int task, byte_buffer &text) noexcept
{
	const unique_fd fd(openat(task, "maps", O_RDONLY | O_CLOEXEC));
	if (!fd)
		return proc_error(errno);
	std::size_t size = 0;
	for (;;) {
		if (text.size() < size + least_free &&
		    !text.resize(size == 0 ? first_size : 2 * size))
			return ENOMEM;
		const ssize_t got = read(fd.get(), text.data() + size,
		    text.size() - size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return proc_error(errno);
		if (got == 0)
			break;
		size += static_cast<std::size_t>(got);
		if (budgets::exceeds(size, budgets::mappings_text)) {
			leave_out(budgets::left_out::mappings);
			text.resize(whole_lines(text.data(), size));
			return 0;
		}
	}
	text.resize(size);
	return size == 0 ? ESRCH : 0;
}

bool
next_line(std::string_view &text, maps_line &line) noexcept
{
	const auto size = text.find('\n');
	const std::string_view first = text.substr(0, size);
	text.remove_prefix(size == text.npos ? text.size() : size + 1);
	return parse_maps_line(first, line);
}

std::string
path_of(const maps_line &line, bool &deleted)
{
	static constexpr std::string_view mark = " (deleted)", escape = "\\012";
	static constexpr std::size_t longest = 4096;	// <limits.h>: PATH_MAX
	std::string_view from = line.path;
	deleted = line.inode != 0 && from.size() > mark.size() &&
	    from.substr(from.size() - mark.size()) == mark;
	if (deleted)
		from.remove_suffix(mark.size());
	if (from.size() > longest) {
		from.remove_prefix(from.size() - longest);
		from.remove_prefix(std::min(from.find('/'), from.size()));
	}
	std::string path(from);
	for (auto at = path.find(escape); at != path.npos;
	    at = path.find(escape, at + 1))
		path.replace(at, escape.size(), 1, '\n');
	return path;
}

} // namespace stack9::process
