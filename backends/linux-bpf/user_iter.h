// Samples one thread by passes of the program "user".
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "user_sampler.h"
#include "user_pass.h"

namespace stack9::bpf {

// Samples the same thread each time, for the link restricts passes to it.
class iter_sampler final : public user_sampler {
public:
	int user(pid_t tid, std::uint64_t from) noexcept override;
	const s9_user_record &seen() const noexcept override { return seen_; }
	int kernel(pid_t tid, s9_record &) noexcept override;

private:
	// ESRCH: the pass shows no such thread.  EIO: it fails.
	int read(pid_t tid, const s9_asked &, void *buffer, std::size_t size,
	    std::size_t &n) noexcept;

	user_scope	scope_;
	s9_user_record	seen_;
};

} // namespace stack9::bpf
