// Buffers the records of a pass of the program "user".
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstring>

#include "user_pass.h"

namespace stack9::bpf {

// at_a_time: how much one read(2) asks for.  The sum of it and of the largest
// record has to fit into the eight pages that the kernel gathers.  The kernel
// throws away a record that does not fit, and takes it again.
template <std::size_t at_a_time, std::size_t largest>
class records {
	static_assert(at_a_time + largest <= 8 * 4096);
	static_assert(at_a_time >= sizeof(s9_asked));

public:
	int
	begin(const user_scope &scope, const s9_asked &asked) noexcept
	{
		asked_ = asked;
		return scope.begin(pass_);
	}

	// Reads more records, after one that was cut.  ENODATA: there are no
	// more.
	int
	more() noexcept
	{
		std::memmove(bytes_, front(), size());
		end_ = size();
		at_ = 0;
		std::size_t n = 0;
		const int error = read_pass(pass_, asked_, bytes_ + end_,
		    at_a_time, n);
		end_ += n;
		return error != 0 ? error : n == 0 ? ENODATA : 0;
	}

	// The first record, as much of it as has been read.
	const char *front() const noexcept { return bytes_ + at_; }
	std::size_t size() const noexcept { return end_ - at_; }
	void drop(std::size_t n) noexcept { at_ += n; }

private:
	unique_fd	pass_;
	s9_asked	asked_{};
	std::size_t	at_ = 0;
	std::size_t	end_ = 0;
	char		bytes_[largest + at_a_time];
};

} // namespace stack9::bpf
