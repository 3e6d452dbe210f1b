// Defines the routes "ptrace".  They stop a thread for as long as it takes to
// copy its registers and its stack.  They copy one thread, running or not, or
// all threads of a process at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"
#include <sys/ptrace.h>

#include "copies.h"
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

// Implements what the three routes have in common.
template <class Interface>
class ptrace_route : public Interface {
public:
	using Interface::Interface;

	verdict can() noexcept override { return can_trace(); }
	bool both_sides() const noexcept override { return false; }
	bool stops() const noexcept override { return true; }

	int
	extend_copy(const stack9_thread &td, user_copy &copy,
	    std::uint64_t wanted) noexcept override
	{
		return copy_more(td, copy, wanted);
	}

protected:
	~ptrace_route() = default;
};

class one_route final : public ptrace_route<user_route> {
public:
	using ptrace_route::ptrace_route;

	int
	copy(const stack9_thread &td, sides &s, lead &) noexcept override
	{
		return copy_one(td, s.copy, s.user);
	}
};

class running_one_route final : public ptrace_route<user_running_route> {
public:
	using ptrace_route::ptrace_route;

	int
	copy(const stack9_thread &td, sides &s, const lead &) noexcept override
	{
		return copy_one(td, s.copy, s.user);
	}
};

class each_route final : public ptrace_route<user_pass_route> {
public:
	using ptrace_route::ptrace_route;

	int
	each_copy(pid_t pid, bool, sides_sink to, void *arg) noexcept override
	{
		return pid != 0 ? copy_process(pid, to, arg) :
		    copy_machine(to, arg);
	}
};

constinit one_route one("ptrace",
    "one thread, stopped for the copy of its stack", 90);
constinit running_one_route running("ptrace",
    "one running thread, stopped for the copy of its stack", 90);
constinit each_route all("ptrace",
    "all threads of a process, stopped at one instant", 90);
constinit user_route *const user[] = {&one};
constinit user_running_route *const user_running[] = {&running};
constinit user_pass_route *const user_each[] = {&all};

} // namespace
} // namespace tracing

extern const backend backend_ptrace;
constinit const backend backend_ptrace{
	.name = "ptrace",
	.user = tracing::user,
	.user_running = tracing::user_running,
	.user_each = tracing::user_each,
};

} // namespace stack9
