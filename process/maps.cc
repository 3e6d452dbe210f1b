// Reads the text of /proc/TID/maps.  A process of 60,000 mappings has a text of
// 4 MB.  The kernel writes it a page at a time; the kernel's part is the slow
// one.  A text beyond its budget is cut after its last whole line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "maps.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "os/proc_task.h"

namespace stack9::process {
namespace {

constexpr std::size_t first_size = 64 << 10;
constexpr std::size_t least_free = 8 << 10;	// more than a read gives
constexpr std::size_t most_read = 64 << 10;	// of a line with a long path
constexpr std::size_t kept = 8 << 10;		// of its begin, and of its end

// The text as far as it was read.
class growing_text {
public:
	explicit growing_text(byte_buffer &to) noexcept : to_(to) {}

	// Reads some bytes more; none at the end.
	int read_from(const proc_file &, std::size_t &more) noexcept;
	std::size_t read() const noexcept { return read_; }
	std::size_t size() const noexcept { return size_; }
	void end() noexcept { to_.resize(size_); }
	void end_behind_a_line() noexcept { to_.resize(line_); }

private:
	void shorten_line() noexcept;

	byte_buffer	&to_;
	std::size_t	 read_ = 0, size_ = 0;
	std::size_t	 line_ = 0;	// where the last one begins
};

int
growing_text::read_from(const proc_file &file, std::size_t &more) noexcept
{
	if (to_.size() < size_ + least_free &&
	    !to_.resize(size_ == 0 ? first_size : 2 * size_))
		return ENOMEM;
	std::byte *const end = to_.data() + size_;
	if (const int error = file.read_some(read_,
	    {reinterpret_cast<char *>(end),
	    std::min(to_.size() - size_, most_read)}, more); error != 0)
		return error;
	read_ += more;
	size_ += more;
	if (const void *const last = memrchr(end, '\n', more); last != nullptr)
		line_ = static_cast<std::size_t>(static_cast<const std::byte *>(
		    last) + 1 - to_.data());
	shorten_line();
	return 0;
}

// Takes out the middle of an unfinished line that is longer than any path that
// can be opened.
void
growing_text::shorten_line() noexcept
{
	if (size_ - line_ <= 2 * kept)
		return;
	std::byte *const middle = to_.data() + line_ + kept;
	std::memmove(middle, to_.data() + size_ - kept, kept);
	size_ = line_ + 2 * kept;
}

} // namespace

int
read_maps(int task, byte_buffer &text) noexcept
{
	proc_file file;
	if (const int error = file.open(task, "maps"); error != 0)
		return error;
	growing_text all(text);
	std::size_t more = 0;
	do {
		if (const int error = all.read_from(file, more); error != 0)
			return error;
		if (budgets::exceeds(all.read(), budgets::mappings_text)) {
			leave_out(budgets::left_out::mappings);
			all.end_behind_a_line();
			return 0;
		}
	} while (more != 0);
	all.end();
	return all.size() == 0 ? ESRCH : 0;
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
