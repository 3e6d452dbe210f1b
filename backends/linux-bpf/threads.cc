// Runs the program "threads", and copies what it has left in its map.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/state_record.h"
#include "images.h"
#include "objects.h"

namespace stack9::bpf {
namespace {

constinit object object_of_threads(s9_image_threads,
    "needs bpf_iter_task_new() (Linux 6.7)", false,
    sizeof(s9_state) * S9_MOST_THREADS);

bool
is_before(const s9_state &a, const s9_state &b) noexcept
{
	return a.tid < b.tid;
}

} // namespace

// The map belongs to the process, so what is in it is copied under the lock.
// The list has the threads in the order of their birth.
int
process_threads::read(pid_t pid) noexcept
{
	if (!in_init_pid_ns())
		return EOPNOTSUPP;
	if (const verdict v = object_of_threads.load(); v.error != 0)
		return v.error;
	{
		s9_threads call{pid, -EOPNOTSUPP};
		const guard locked(capture_mutex());
		const int error = run(object_of_threads, &call, sizeof call);
		if (error != 0 || call.count < 0)
			return error != 0 ? error : -call.count;
		count_ = static_cast<std::size_t>(call.count);
		all_.reset(new (std::nothrow) s9_state[count_]);
		if (all_ == nullptr)
			return ENOMEM;
		std::memcpy(all_.get(), object_of_threads.memory(),
		    count_ * sizeof all_[0]);
	}
	if (count_ == 0 || all_[0].pid != pid)
		return ESRCH;
	if (!std::is_sorted(all_.get(), all_.get() + count_, is_before))
		std::sort(all_.get(), all_.get() + count_, is_before);
	return 0;
}

} // namespace stack9::bpf
