// Finds the mapping of an address in /proc/self/maps without heap, lock or
// stdio.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "image.h"

#include <cstddef>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "os/unique_fd.h"
#include "process/maps_line.h"

namespace stack9 {
namespace {

// Reads lines through a buffer that holds no more of a line than its fields, so
// that a path of any length passes through it.
class line_reader {
public:
	explicit line_reader(int fd) noexcept : fd_(fd) {}

	// False: there is no further line.
	bool
	next(process::maps_line &line) noexcept
	{
		while (left().find('\n') == left().npos &&
		    left().size() < process::maps_fields_max && fill())
			;
		if (left().empty())
			return false;
		if (!process::parse_maps_line(
		    left().substr(0, left().find('\n')), line))
			line = {};
		skip_line();
		return true;
	}

private:
	std::string_view
	left() const noexcept
	{
		return {text_ + at_, size_ - at_};
	}

	// False: the file ends.
	bool
	fill() noexcept
	{
		std::memmove(text_, text_ + at_, size_ - at_);
		size_ -= at_;
		at_ = 0;
		const ssize_t n = read(fd_, text_ + size_,
		    sizeof text_ - size_);
		size_ += n > 0 ? static_cast<std::size_t>(n) : 0;
		return n > 0;
	}

	void
	skip_line() noexcept
	{
		std::size_t end;
		while ((end = left().find('\n')) == left().npos) {
			at_ = size_;
			if (!fill())
				return;
		}
		at_ += end + 1;
	}

	const int	fd_;
	char		text_[512];
	std::size_t	at_ = 0, size_ = 0;
};

} // namespace

bool
find_mapping(std::uintptr_t addr, mapping &found) noexcept
{
	const unique_fd fd(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
	line_reader lines(fd.get());
	process::maps_line line;
	while (fd && lines.next(line))
		if (line.start <= addr && addr < line.end) {
			found = {line.start, line.end, line.inode};
			return true;
		}
	return false;
}

} // namespace stack9
