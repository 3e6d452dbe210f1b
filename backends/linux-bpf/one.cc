// Implements route "syscall": captures one thread by one bpf(2) call.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <atomic>

#include <sys/stat.h>
#include <unistd.h>

#include "bpf/capture_lock.h"
#include "bpf/program.h"
#include "bpf/validate.h"
#include "images.h"
#include "recheck_end.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object in_init_ns(s9_image_one,
    "needs bpf_task_from_pid() (Linux 6.2)", false);
constinit object in_own_ns(s9_image_one_vpid,
    "in a pid namespace needs bpf_task_from_vpid() (Linux 6.14)", false);

int
sample(pid_t tid, s9_one &call) noexcept
{
	call.tid = tid;
	const guard locked(capture_mutex());
	const int error = run(one_object(), &call, sizeof call);
	return error != 0 ? error : -call.found;
}

} // namespace

// bpf_task_from_pid() always takes tids of the init namespace.  A process stays
// in its pid namespace, but its children may be in another.
// include/linux/proc_ns.h: PROC_PID_INIT_INO.
bool
in_init_pid_ns() noexcept
{
	static std::atomic<unsigned int> asked{0};	// fork_generation()
	static std::atomic<bool> init{false};
	if (asked.load(std::memory_order_acquire) != fork_generation()) {
		struct stat st{};
		init.store(stat("/proc/self/ns/pid", &st) == 0 &&
		    st.st_ino == 0xEFFFFFFC);
		asked.store(fork_generation(), std::memory_order_release);
	}
	return init.load(std::memory_order_relaxed);
}

object &
one_object() noexcept
{
	return in_init_pid_ns() ? in_init_ns : in_own_ns;
}

// The program is believed once it has found the caller.
verdict
one_route::can() noexcept
{
	static std::atomic<bool> trusted{false};
	const verdict v = one_object().load();
	if (v.error != 0 || trusted.load(std::memory_order_relaxed))
		return v;
	s9_one call;
	const int error = sample(gettid(), call);
	if (error != 0 && error != ESRCH)
		return explain(error, "its program cannot be run");
	if (error != 0 || call.r.tid != gettid())
		return {EOPNOTSUPP, shows_no_caller};
	trusted.store(true, std::memory_order_relaxed);
	return v;
}

int
one_route::save(const stack9_thread &td, stack_record &rec, lead &l) noexcept
{
	if (rec.pcs == nullptr)
		return EOPNOTSUPP;
	s9_one call;
	int error = sample(td.tid, call);
	if (error == ESRCH)
		return explain_missing_thread(td, rec);
	if (error == 0)
		error = validate_sleeper(call.r, td, rec, l);
	if (error == 0)
		error = recheck_end(call.r, rec, [&](s9_record &second) {
			s9_one again;
			const int e = sample(td.tid, again);
			second = again.r;
			return e;
		});
	return error;
}

} // namespace stack9::bpf
