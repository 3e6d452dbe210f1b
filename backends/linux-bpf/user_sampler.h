// Declares the samplers of one thread's sides, and the copies that routes make
// by them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "bpf/record.h"

namespace stack9::bpf {

class user_sampler {
public:
	// Samples the user side from an address on; 0: from its stack pointer.
	// 0: the sample is in seen() until the next one.  ESRCH: the program
	// finds no such thread.  Or another errno.
	virtual int user(pid_t tid, std::uint64_t from) noexcept = 0;
	virtual const s9_user_record &seen() const noexcept = 0;

	// Samples its kernel stack.
	virtual int kernel(pid_t tid, s9_record &) noexcept = 0;

protected:
	~user_sampler() = default;
};

// Copy a thread, and extend a copy, by samples.
int copy_by(user_sampler &, const stack9_thread &, sides &, lead &) noexcept;
int extend_copy_by(user_sampler &, const stack9_thread &, user_copy &,
    std::uint64_t wanted) noexcept;

// Samples the user side, and gives the thread some time to finish a change of
// its mappings.  who receives the thread's identity.
int sample_patiently(user_sampler &, pid_t tid, std::uint64_t from,
    s9_record &who) noexcept;

} // namespace stack9::bpf
