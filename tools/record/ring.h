// Names the files of a directory of records, and deletes the oldest.  A file
// has one segment, NUMBER-TIME.s9: the numbers ascend, whatever becomes of the
// clock.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace recording {

std::string segment_name(std::uint64_t number, std::int64_t wall_ns);

// Lists the files of segments in a directory, the oldest first.  Returns 0 or
// an errno.
int segments_in(const std::string &dir, std::vector<std::string> &names);

struct ring_limits {
	std::uint64_t	bytes = std::uint64_t{1} << 30;	// 0: none
	std::uint64_t	seconds = 7 * 86400;		// 0: none
};

class ring {
public:
	~ring();
	ring() = default;
	ring(const ring &) = delete;
	ring &operator=(const ring &) = delete;

	// Makes the directory if it is not there.  Returns 0 or an errno;
	// EBUSY: another process records into it.
	int	open(const std::string &dir);
	// Creates the next file.  Returns a descriptor, or -1 and errno.
	int	create(std::int64_t wall_ns);
	// Deletes the last file that create() made.
	void	forget();
	// Deletes the oldest files until what is there, with so many bytes to
	// come, is within the limits.  The last file stays.
	void	shrink(const ring_limits &, std::uint64_t bytes);
	// Deletes the oldest file but the last.  False: there is none.
	bool	delete_oldest();

private:
	struct file {
		std::string	name;
		std::uint64_t	bytes = 0;
		std::int64_t	changed = 0;	// seconds
	};
	std::vector<file>	files() const;
	std::int64_t		seconds_now() const;

	// The clock as it was when the ring was opened, and goes on since: a
	// clock that is set makes no file old.
	std::int64_t	wall_minus_boot_ = 0;
	// The ends of the files that this ring made, by that clock.
	std::map<std::string, std::int64_t> ended_;
	int		dir_ = -1;
	std::string	path_, last_;
	std::uint64_t	number_ = 0;
};

} // namespace recording
