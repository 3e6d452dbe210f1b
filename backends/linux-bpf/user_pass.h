// Opens and reads passes of the program "user" over tasks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <sys/types.h>

#include "bpf/object.h"
#include "bpf/record.h"

namespace stack9::bpf {

object &user_object() noexcept;

// Loads the program and lets it show the calling thread.  A kernel may load the
// program and run it, and yet show nothing; such a route is refused here.
verdict trust_user_passes() noexcept;

// Restricts passes to a thread or a process, as far as the kernel can.
class user_scope {
public:
	// 0: any.  A kernel that ignores the restriction is not asked for it;
	// the BPF program filters in any case.
	int open(pid_t tid, pid_t pid) noexcept;
	int begin(unique_fd &pass) const noexcept;
	explicit operator bool() const noexcept { return bool(link_); }
	// True if its passes visit all threads, asked for or not.
	bool is_of_all() const noexcept { return of_all_; }

private:
	unique_fd	link_;
	bool		of_all_ = true;
};

// True if the program had no buffer: the record is only a head then, and the
// first of its pass.  A later pass may get one: the kernel gives task storage
// without waiting.
inline bool
lacks_buffer(const s9_record &who) noexcept
{
	return who.tid == S9_NO_BUFFER;
}
constexpr int most_passes_for_a_buffer = 16;

// Reads the next records of a pass that match the request, by one read(2).  0
// and n == 0 at the end.  A record may be cut at the end of the buffer; its
// rest comes first next time.  The buffer is not smaller than s9_asked, because
// that is stored in it.  Kernel stacks are read under the capture lock, user
// sides under no lock, because reading them may have to wait.
int read_pass(const unique_fd &pass, const s9_asked &, void *buffer,
    std::size_t size, std::size_t &n) noexcept;

} // namespace stack9::bpf
