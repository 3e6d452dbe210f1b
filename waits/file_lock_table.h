// Keeps the lines of /proc/locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "open_files.h"

namespace stack9::waits {

enum class lock_kind : std::uint8_t { other, flock, posix, description };

// A lock of a file, or the wish for one.
struct file_lock {
	lock_kind	kind;
	bool		writes;
	int		pid;		// -1: of an open file description
	unsigned int	major, minor;	// of the file system
	unsigned long long inode, start, end;

	auto
	operator<=>(const file_lock &) const = default;

	bool
	conflicts(const file_lock &o) const
	{
		return kind == o.kind && (writes || o.writes) &&
		    start <= o.end && o.start <= end;
	}
};

// Parses what follows the number and the arrow in a line of /proc/locks, or
// "lock:" and a number in fdinfo.
bool parse_file_lock(std::string_view, file_lock &);

class file_lock_table {
public:
	// The lock that is in the way of a wish.  NULL: the kernel lists none,
	// or several: wishes that may be this one have not the same lock in
	// their way.  /proc/locks is read at the first call.
	template <class F>
	const file_lock *
	in_the_way_of(F is_wish, bool &several)
	{
		const file_lock *found = nullptr;
		several = false;
		if (!is_read_)
			read_all();
		for (const wish &w : wishes_) {
			if (!is_wish(w.wanted) || !w.wanted.conflicts(w.held))
				continue;
			several |= found != nullptr && *found != w.held;
			found = &w.held;
		}
		return several ? nullptr : found;
	}

	// The processes that have a descriptor with this lock, by ascending
	// pid.
	const std::vector<pid_t> &holders(const file_lock &,
	    std::span<const open_file>);

private:
	struct wish {
		file_lock	wanted, held;
	};

	void	read_all();

	std::vector<wish>	wishes_;
	std::map<file_lock, std::vector<pid_t>> holders_;
	bool			is_read_ = false;
};

} // namespace stack9::waits
