// Makes the sample of a thread whose stacks were not captured, or not all by
// one capture.  The library never gets such a sample.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include <stack9.h>

#include "advice.h"
#include "ours.h"
#include "tools/lib/samples.h"

namespace stackprint {

class synthetic_sample : public std::enable_shared_from_this<synthetic_sample> {
public:
	// Nothing is known of the thread but what /proc says; sides are there,
	// and empty.
	static std::shared_ptr<synthetic_sample> of(const stack9_thread &td,
	    int sides);
	// A copy.  It keeps what it was made of.
	static std::shared_ptr<synthetic_sample> of(const sample_ptr &from);

	// Records why there is no stack: all sides, or one of them.  The
	// reason, if it is not NULL, lasts as long as the sample.
	void	fail(int error, stack9_why, const char *reason,
		    const char *route = "");
	void	fail_user(int error, stack9_why, const char *reason);
	// Refuses all sides, for the error that gate::ask() gave.
	void	withhold(int error, advice &);

	void	take_user(const sample_ptr &from);
	void	drop_kernel() { sample_.kernel = nullptr; }
	void	belongs_to(const stack9_thread &td) { sample_.thread = td; }
	// Cuts both sides to so many frames.
	void	cut(std::uint32_t frames);

	const stack9_sample &get() const { return sample_; }
	sample_ptr	keep() const { return {shared_from_this(), &sample_}; }

private:
	stack9_sample	sample_{};
	stack9_stack	kernel_{}, user_{};
	std::string	comm_;
	sample_ptr	from_, user_from_;
};

} // namespace stackprint
