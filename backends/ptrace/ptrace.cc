// Defines the routes "ptrace", which stop a thread for as long as it takes to
// copy its registers and its stack.  They copy one thread, running or not, or
// all threads of a process at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"
#include <sys/ptrace.h>

#include "all.h"
#include "one.h"
#include "target.h"

namespace stack9 {
namespace tracing {
namespace {

// No process has this tid, so the errno says whether the call is allowed.
verdict
can_trace() noexcept
{
	constexpr pid_t nobody = 0x7fffffff;
	if (ptrace(PTRACE_SEIZE, nobody, nullptr, nullptr) == 0 ||
	    errno == ESRCH)
		return yama_scope() == 3 ?
		    verdict{EOPNOTSUPP, "kernel.yama.ptrace_scope is 3: nobody "
			"traces until the next boot"} : verdict{0, nullptr};
	if (errno == EPERM)
		return {EPERM, "ptrace(2) is not allowed here, by a seccomp "
		    "filter perhaps"};
	return {EOPNOTSUPP, "no ptrace(2) with PTRACE_SEIZE here"};
}

class one_route final : public route {
public:
	using route::route;

	verdict can() noexcept override { return can_trace(); }

	int
	copy(const stack9_thread &td, sides &s, lead &) noexcept override
	{
		return copy_one(td, s.copy, s.user);
	}

	int
	copy_on(const stack9_thread &td, user_copy &copy, std::uint64_t wanted)
	    noexcept override
	{
		return copy_more(td, copy, wanted);
	}

	bool stops() const noexcept override { return true; }
};

class each_route final : public route {
public:
	using route::route;

	verdict can() noexcept override { return can_trace(); }

	int
	copy_on(const stack9_thread &td, user_copy &copy, std::uint64_t wanted)
	    noexcept override
	{
		return copy_more(td, copy, wanted);
	}

	int
	each_copy(pid_t pid, bool, sides_sink to, void *arg) noexcept override
	{
		return pid != 0 ? copy_process(pid, to, arg) :
		    copy_machine(to, arg);
	}
};

constinit one_route one("ptrace",
    "one thread, stopped for the copy of its stack", job::user, 90);
constinit one_route running("ptrace",
    "one running thread, stopped for the copy of its stack",
    job::user_running, 90);
constinit each_route all("ptrace",
    "all threads of a process, stopped at one instant", job::user_each, 90);
constinit route *const routes[] = {&one, &running, &all};

} // namespace
} // namespace tracing

extern const backend backend_ptrace;
constinit const backend backend_ptrace{"ptrace", tracing::routes};

} // namespace stack9
