// Tests what a watch promises to callers in odd places: its own function, a
// child, a poll loop, before and after the end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "lib/process.h"
#include "paths.h"

BOOST_AUTO_TEST_SUITE(watch_contract)

namespace {

using boost::unit_test::description;
using lib::in_child;

constexpr char event[] = "syscall:getppid";

void
make_events(int n)
{
	for (int i = 0; i < n; i++)
		syscall(SYS_getppid);
}

struct meddler {
	stack9::event_watcher		*watch = nullptr;
	std::vector<int>	 answers;

	static int
	take(void *arg, const stack9::watch_sample *)
	{
		meddler &m = *static_cast<meddler *>(arg);
		m.answers = {core::watch_read(m.watch, 0),
		    core::watch_stop(m.watch)};
		return 0;
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(nor_from_its_function, *needs("bpf")
    * description("Inside fn, calls that read or end the same watch return "
    "EBUSY"))
{
	meddler m;
	stack9::watch_sink sink = streamed(STACK9_KERNEL);
	sink.fn = meddler::take;
	sink.arg = &m;
	const stack9::watch_filter f = only(getpid());
	BOOST_REQUIRE(core::watch(event, &f, &sink, &m.watch, nullptr) == 0);
	make_events(1);
	BOOST_TEST(core::watch_read(m.watch, 10000) == 0);
	const std::vector<int> busy{EBUSY, EBUSY};
	BOOST_TEST(m.answers == busy, boost::test_tools::per_element());
	BOOST_TEST(core::watch_stop(m.watch) == 0);
	core::watch_close(m.watch);
}

BOOST_AUTO_TEST_CASE(a_child_only_closes_it, *needs("bpf")
    * description("a forked child can only close it, and the parent's watch "
    "then stays as it is"))
{
	watching w(event, only(getpid()), counted(STACK9_BOTH));
	BOOST_TEST(in_child([&] {
		const bool refused = w.read(0) == EINVAL &&
		    core::watch_stop(w.get()) == EINVAL;
		core::watch_close(w.get());
		return refused ? 0 : 1;
	}) == 0);
	make_events(100);
	w.end();
	w.count();
	BOOST_TEST(events_in(w.samples) == 100u);
	BOOST_TEST(w.tally().kept == 100u);
}

BOOST_AUTO_TEST_CASE(the_descriptor_can_be_read_again, *needs("bpf")
    * description("stack9_watch_fd: once an event has arrived since "
    "stack9_watch_read() was called with a timeout of 0"))
{
	watching w(event, only(getpid()), streamed(STACK9_KERNEL));
	for (std::size_t i = 1; i <= 5; i++) {
		make_events(1);
		pollfd p{core::watch_fd(w.get()), POLLIN, 0};
		BOOST_TEST(poll(&p, 1, 10000) == 1);
		BOOST_TEST(w.read(0) == 0);
		BOOST_TEST(w.samples.size() == i);
	}
}

BOOST_AUTO_TEST_CASE(what_came_between, *needs("bpf")
    * description("The numbers are exact once the watch has been stopped"))
{
	watching w(event, only(getpid()),
	    counted(STACK9_BOTH, STACK9_WATCH_FRAME_POINTERS));
	make_events(10);
	w.count();
	BOOST_TEST(events_in(w.samples) == 10u);
	make_events(90);
	w.end();
	BOOST_TEST(w.tally().kept == 100u);
	w.count();
	BOOST_TEST(events_in(w.samples) == 100u);
	BOOST_TEST(w.tally().kept == 100u);
}

BOOST_AUTO_TEST_CASE(of_few_frames_too, *needs("bpf")
    * description("stacks: distinct stacks, of the kept"))
{
	staged deep("deep", {"40", "100"});
	stack9::watch_sink sink = counted(STACK9_BOTH,
	    STACK9_WATCH_FRAME_POINTERS);
	sink.frames = 14;
	watching w("t:sched:sched_switch", {}, sink);
	w.all_of(deep);
	w.end();
	w.count();
	BOOST_TEST(w.tally().stacks == w.samples.size());
}

BOOST_AUTO_TEST_CASE(before_it_ran_another_program, *needs("bpf") * copied()
    * description("The addresses of a process that has run another program are "
    "named by the mappings of code that were recorded"))
{
	// Another run of this test has another name.
	const std::string name = "ran " + std::to_string(getpid());
	stack9::watch_filter f{};
	f.comm = name.c_str();
	watching w("syscall:execve", f, counted(STACK9_USER));
	BOOST_TEST(in_child([&] {
		prctl(PR_SET_NAME, name.c_str());
		execl("/bin/true", "true", static_cast<char *>(nullptr));
		return 1;
	}) == 0);
	w.end();
	w.count();
	BOOST_REQUIRE(w.samples.size() == 1u);
	BOOST_TEST(w.samples[0].user.error == 0);
	BOOST_TEST(w.samples[0].user.has("execl"));
	BOOST_TEST(w.samples[0].user.has("_start"));
}

BOOST_AUTO_TEST_SUITE_END()
