// Parses /proc/self/maps, whose lines are "start-end perms offset dev inode
// path".
//
// SPDX-License-Identifier: BSD-2-Clause
#include "maps.h"

#include <fcntl.h>
#include <unistd.h>

#include "image.h"

namespace stack9 {
namespace {

// Takes one character at a time, so that no line has to fit a buffer.
class maps_line {
	mapping		m;
	unsigned int	field = 0;	// 0: start, 1: end, 5: inode
	bool		blank = false;

	void
	digit(char c) noexcept
	{
		const unsigned int value = c <= '9' ? c - '0' : c - 'a' + 10;
		if (field == 0)
			m.start = m.start * 16 + value;
		else if (field == 1)
			m.end = m.end * 16 + value;
		else if (field == 5)
			m.inode = m.inode * 10 + value;
	}

public:
	const mapping &get() const noexcept { return m; }
	bool known() const noexcept { return field > 5; }

	void
	take(char c) noexcept
	{
		if (c == '\n' || c == ' ' || (c == '-' && field == 0)) {
			if (!blank)
				field++;
			blank = c != '-';
		} else {
			blank = false;
			digit(c);
		}
	}
};

} // namespace

bool
find_mapping(std::uintptr_t addr, mapping &found) noexcept
{
	unique_fd fd(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
	char buf[256];
	maps_line line;
	ssize_t n;
	while (fd && (n = read(fd.get(), buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			line.take(buf[i]);
			const mapping &m = line.get();
			if (line.known() && m.start <= addr && addr < m.end) {
				found = m;
				return true;
			}
			if (buf[i] == '\n')
				line = maps_line();
		}
	}
	return false;
}

} // namespace stack9
