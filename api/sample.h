// Makes samples of records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <stack9.h>
#include <stack9_frames.h>

#include "core/seam/record.h"
#include "core/seam/space.h"
#include "core/seam/written.h"

namespace stack9 {

// Presents records as a sample.  The sample points into the records, and is
// lent to a function of the caller's while they last.  One object serves for
// many samples, one after the other; it allocates only for stacks that are
// text.
class lent_sample {
public:
	// The parts are set by show(), and not to zeros before.
	lent_sample() noexcept {}
	lent_sample(const lent_sample &) = delete;
	lent_sample &operator=(const lent_sample &) = delete;

	// Shows the sides that are not NULL, and says of the thread what the
	// better known of them says.  frames: of a side, at most; 0: all.
	// Throws std::bad_alloc.
	const stack9_sample &show(const stack_record *kernel,
	    const stack_record *user, std::uint32_t frames = 0);

	// Reads name, state and CPU from /proc if no record knows them, and the
	// thread still is who it was.
	void name_thread() noexcept;

	// For members that no record has.
	stack9_sample &sample() noexcept { return box_.sample; }

private:
	struct side {
		stack9_stack			stack;
		std::string			lines;
		std::vector<const char *>	text;
		std::vector<stack9_written>	written;
		stack9_written_lock		lock;
	};

	// The memory of every sample begins so.
	friend struct ::stack9_sample *::stack9_sample_hold(
	    const ::stack9_sample *);
	friend void ::stack9_sample_close(::stack9_sample *);
	struct box {
		stack9_sample		sample;
		std::atomic<int>	holders{0};	// 0: the sample is lent
	};
	static std::size_t size_with_parts(const stack9_sample &) noexcept;
	template <class Parts>
	static stack9_sample *copy_to(Parts &, const stack9_sample &,
	    int holders) noexcept;
	static stack9_sample *copy_of(const stack9_sample &) noexcept;

	void fill(side &, const stack_record &, std::uint32_t frames);
	static void add_written(side &, const written_stack &);

	box		box_;
	side		kernel_, user_;
	char		comm_[65];
};

// A hash of all that stack9_stack_same() compares.
std::uint64_t hash_of(const stack9_stack &) noexcept;

} // namespace stack9
