// Appends ticks to the file of a segment.  A tick is there whole or not at all:
// a program that is killed and a disk that is full cost what was not written
// yet, and nothing that was.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "model.h"
#include "ring.h"

namespace recording {

struct segment_limits {
	std::uint64_t	bytes = std::uint64_t{16} << 20;
	std::uint64_t	ns = 600'000'000'000;
};

class writer {
public:
	writer(ring &r, const ring_limits &, const segment_limits &);
	~writer();
	writer(const writer &) = delete;
	writer &operator=(const writer &) = delete;

	// False: the next tick has to begin a segment, with begin(), and to
	// have all threads.
	bool	goes_on(std::uint64_t boot_ns) const;
	// The segment's file is made with its first tick.
	void	begin(const segment_info &);
	// Returns 0 or an errno: the tick is lost, and the next one has to
	// begin a segment.
	int	put(const tick &);
	// Closes the segment in order.
	void	end();

	std::uint64_t	bytes() const { return all_bytes_; }
	std::uint64_t	segments() const { return segments_; }

private:
	int	open();
	int	append(const std::string &);
	void	give_up();

	ring			&ring_;
	const ring_limits	 keep_;
	const segment_limits	 most_;
	segment_info		 info_;
	std::string		 buffer_;
	bool			 begun_ = false;
	int			 fd_ = -1;
	std::uint64_t		 size_ = 0;	// of the file
	std::uint64_t		 all_bytes_ = 0, segments_ = 0;
};

} // namespace recording
