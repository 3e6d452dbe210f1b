// Watches from within a pid namespace what happens outside.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include "core_calls.h"
#include "pid_ns.h"
#include "victim.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_outside)

namespace {

using boost::unit_test::description;

struct first_stranger {
	int		status = 0;	// of the test's child; 0: none came yet
};

// A thread without a pid is outside.
int
take(void *arg, const stack9::watch_sample *s)
{
	first_stranger &to = *static_cast<first_stranger *>(arg);
	if (s->thread.pid != 0)
		return 0;
	const stack9::stack_record &user = *s->user;
	const std::string reason = user.reason == nullptr ? "" : user.reason;
	if (user.error != EOPNOTSUPP || user.why != STACK9_WHY_MACHINE)
		to.status = 80;
	else if (reason != "its process is outside of this pid namespace")
		to.status = 81;
	else
		to.status = 1;
	return 1;
}

int
watch_strangers()
{
	first_stranger seen;
	stack9::watch_sink sink = streamed(STACK9_USER);
	sink.fn = take;
	sink.arg = &seen;
	stack9::event_watcher *watch = nullptr;
	char reason[core::reason_max];
	if (core::watch("syscall:getppid", nullptr, &sink, &watch,
	    reason) != 0)
		return 82;
	while (seen.status == 0)
		core::watch_read(watch, -1);
	core::watch_close(watch);
	return seen.status;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_outer_process_has_not_ended, *needs("bpf")
    * needs("mounts") * copied() * description(
    "thread: tid and pid are 0 for a thread outside of the caller's pid "
    "namespace"))
{
	const victim v({doing::spin_syscall});
	const int status = in_new_pid_ns(watch_strangers);
	if (status != 77)	// no namespaces here
		BOOST_TEST(status == 1);
}

BOOST_AUTO_TEST_SUITE_END()
