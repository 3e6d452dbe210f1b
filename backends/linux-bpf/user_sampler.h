// Looks at the sides of one thread, by whichever program; and the copies that
// routes make of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "bpf/record.h"

namespace stack9::bpf {

class user_sampler {
public:
	// The user side, from an address on; from 0: from its stack pointer.
	// 0 and in seen() what is there until the next look; ESRCH: no program
	// finds such a thread; or an errno.
	virtual int user(pid_t tid, std::uint64_t from) noexcept = 0;
	virtual const s9_user_record &seen() const noexcept = 0;

	// Its kernel stack.
	virtual int kernel(pid_t tid, s9_record &) noexcept = 0;

protected:
	~user_sampler() = default;
};

// route::copy() and route::copy_on() by looks.
int copy_by(user_sampler &, const stack9_thread &, sides &, lead &) noexcept;
int extend_copy_by(user_sampler &, const stack9_thread &, user_copy &,
    std::uint64_t wanted) noexcept;

// A look at the user side that gives the thread some time to be done with its
// mappings; who it was into who.
int sample_patiently(user_sampler &, pid_t tid, std::uint64_t from,
    s9_record &who) noexcept;

} // namespace stack9::bpf
