// Passes of the program "user" over tasks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <sys/types.h>

#include "bpf/object.h"
#include "bpf/record.h"

namespace stack9::bpf {

object &user_object() noexcept;

// What a pass is restricted to by the kernel; passes are made from it.
class user_scope {
public:
	// 0: any.  A kernel that ignores the restriction is not asked for it:
	// what is read restricts itself.
	int open(pid_t tid, pid_t pid) noexcept;
	int begin(unique_fd &pass) const noexcept;
	explicit operator bool() const noexcept { return bool(link_); }
	// Whether its passes go by everybody, wanted or not.
	bool is_of_all() const noexcept { return of_all_; }

private:
	unique_fd	link_;
	bool		of_all_ = true;
};

// The next records of a pass that answer to what is asked, by one read(2).  0
// and n == 0 at the end.  A record may be cut where the buffer ends; its rest
// comes first next time.  buffer: no smaller than s9_asked, which goes there.
// Kernel stacks under the capture lock; user sides under none, for they may
// have to be waited for.
int read_pass(const unique_fd &pass, const s9_asked &, void *buffer,
    std::size_t size, std::size_t &n) noexcept;

} // namespace stack9::bpf
