// Watches events by name: one, and several at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/linux-events/probes/syscalls.h"
#include "core_calls.h"
#include "user.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_events)

namespace {

using boost::unit_test::description;

constexpr std::uint64_t times = 500;

const std::string probes = staged::path("probes");

// The counts of the events with this name, in the program called probes.
struct outcome {
	std::map<std::string, std::uint64_t>	by_event;
	std::set<std::string>			names;	// attached to
	std::uint64_t				kept;
	std::uint32_t				points;
};

outcome
run(const std::string &event, unsigned int flags = 0)
{
	staged p("probes", {std::to_string(times)});
	stack9::watch_filter f = only(p.pid());
	f.flags = flags;
	stack9::watch_sink sink = streamed(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS);
	watching w(event, f, sink);
	outcome o;
	core::watch_each_event(w.get(), [](void *arg, const char *name) {
		static_cast<outcome *>(arg)->names.insert(name);
		return 0;
	}, &o);
	w.all_of(p);
	w.end();
	for (const kept_sample &s : w.samples) {
		o.by_event[s.event]++;
		BOOST_TEST(s.user.has("main"));
	}
	o.kept = w.tally().kept;
	o.points = w.tally().probes;
	BOOST_TEST(o.names.size() == o.points);
	return o;
}

// Returns whether it begins at the event, not where the kernel runs a program.
bool
begins_at_the_event(const kept_side &kernel)
{
	const auto names = kernel.names();
	return !names.empty() && names[0].find("bpf") == std::string::npos &&
	    names[0].find("perf") == std::string::npos;
}

// Programs on perf's tracepoints have a descriptor of that name here.
bool
has_perf_events()
{
	for (const auto &fd : std::filesystem::directory_iterator(
	    "/proc/self/fd")) {
		std::error_code gone;
		if (std::filesystem::read_symlink(fd, gone) ==
		    "anon_inode:[perf_event]")
			return true;
	}
	return false;
}

// Kernels before 5.11 have no program for it, and tracefs must be available.
bool
may_have_syscall_tracepoint()
{
	const char *const kernel = std::getenv("STACK9_KERNEL");
	const long fd = syscall(SYS_fsopen, "tracefs", 0);
	if (fd >= 0)
		close(static_cast<int>(fd));
	return fd >= 0 && (kernel == nullptr || kernel != std::string("5.10"));
}

// The library uses perf's tracepoint of the call, slow to detach from, if there
// is no limit; or that of all calls, if others lose events.
void
check_calls(const char *event, std::uint64_t limit)
{
	stack9::watch_filter f = only(getpid());
	f.limit = limit;
	watching w(event, f, counted(STACK9_KERNEL));
	BOOST_TEST(has_perf_events() == (may_have_syscall_tracepoint() &&
	    (limit == 0 || stack9::events::preempts_calls())));
	for (std::uint64_t i = 0; i < times; i++) {
		utsname u;
		uname(&u);
		getppid();
	}
	w.end();
	BOOST_TEST(w.tally().kept == times, event);
	for (const kept_sample &s : w.samples)
		BOOST_TEST(begins_at_the_event(s.kernel),
		    joined(s.kernel.names()));
}

std::uint64_t
ending(const outcome &o, const std::string &name)
{
	std::uint64_t sum = 0;
	for (const auto &[event, n] : o.by_event)
		if (event.ends_with(name))
			sum += n;
	return sum;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_function, *needs("bpf")
    * description("u:FILE:NAME: a function of a program or library"))
{
	const outcome o = run("u:" + probes + ":two");
	BOOST_TEST(o.kept == 2 * times);
	BOOST_TEST(o.points == 1u);
	BOOST_TEST(ending(o, ":two") == 2 * times);
}

BOOST_AUTO_TEST_CASE(an_instruction_of_it, *needs("bpf")
    * description("u:FILE:NAME+OFFSET"))
{
#ifdef __x86_64__
	const std::string second = "+1";
#else
	const std::string second = "+4";
#endif
	BOOST_TEST(run("u:" + probes + ":stepped" + second).kept == times);
	BOOST_TEST(run("p:" + probes + ":stepped").kept == times);
}

BOOST_AUTO_TEST_CASE(a_function_of_a_library, *needs("bpf") * copied()
    * description("u:FILE:NAME: a short name of a library, u:libc:malloc"))
{
	staged p("brief", {"20"});
	watching w("u:libc:waitpid", only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples, "main") == 20u);
	BOOST_TEST(w.tally().events == 20u);
}

BOOST_AUTO_TEST_CASE(several_by_an_expression, *needs("bpf") * copied()
    * description("STACK9_WATCH_REGEX: names of events are POSIX extended "
    "regular expressions; event: the event, by the name that "
    "stack9_watch_events() gives it"))
{
	const outcome o = run("u:" + probes + ":(one|t.*ee)",
	    STACK9_WATCH_REGEX);
	BOOST_TEST(o.points == 2u);
	BOOST_TEST(ending(o, ":one") == times);
	BOOST_TEST(ending(o, ":three") == 3 * times);
	BOOST_TEST(o.kept == 4 * times);
	for (const auto &[event, n] : o.by_event)
		BOOST_TEST(o.names.count(event) == 1u);
}

BOOST_AUTO_TEST_CASE(several_by_a_pattern, *needs("bpf")
    * description("STACK9_WATCH_REGEX: else patterns with * and ?"))
{
	const outcome o = run("u:" + probes + ":t??ee");
	BOOST_TEST(o.points == 1u);
	BOOST_TEST(o.kept == 3 * times);
	BOOST_TEST(run("u:" + probes + ":t*o").kept == 2 * times);
}

BOOST_AUTO_TEST_CASE(a_probe_that_it_declares, *needs("bpf")
    * description("usdt:FILE:PROVIDER:NAME: a probe that a program declares"))
{
	BOOST_TEST(run("usdt:" + probes + ":stack9_test:plain").kept == times);
	BOOST_TEST(run("usdt:" + probes + "::plain").kept == times);
}

BOOST_AUTO_TEST_CASE(a_probe_that_waits_for_it, *needs("bpf")
    * description("usdt:FILE:PROVIDER:NAME: one with a semaphore is told that "
    "it is watched"))
{
	BOOST_TEST(run("usdt:" + probes + ":stack9_test:guarded").kept ==
	    times);
}

BOOST_AUTO_TEST_CASE(probes_by_a_pattern, *needs("bpf") * copied()
    * description("usdt:FILE:PROVIDER:NAME; patterns with * and ?"))
{
	const outcome o = run("usdt:" + probes + ":stack9_test:*");
	BOOST_TEST(o.points == 2u);
	BOOST_TEST(ending(o, ":plain") == times);
	BOOST_TEST(ending(o, ":guarded") == times);
}

BOOST_AUTO_TEST_CASE(a_tracepoint, *needs("bpf") * copied()
    * description("t:CATEGORY:NAME: a tracepoint"))
{
	staged p("brief", {"30"});
	watching w("t:sched:sched_process_fork", only(p.pid()),
	    counted(STACK9_BOTH));
	w.all_of(p);
	w.end();
	BOOST_TEST(w.tally().events == 30u);
	BOOST_TEST(events_in(w.samples, "main") == 30u);
}

BOOST_AUTO_TEST_CASE(a_system_call, *needs("bpf")
    * description("syscall:NAME: a system call"))
{
	staged p("deep", {"3", "600"});
	watching w("syscall:getppid", only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples, "descend") == 600u);
	BOOST_TEST(w.tally().events == 600u);
}

// Without a limit the call's own tracepoint is used if it is available; its
// name may differ from the system call's.
BOOST_AUTO_TEST_CASE(a_system_call_by_either_tracepoint, *needs("bpf")
    * description("syscall:NAME, sysret:NAME: a system call, when it begins "
    "and when it returns"))
{
	for (const char *const event : {"syscall:uname", "sysret:uname",
	    "syscall:getppid"}) {
		check_calls(event, 0);
		check_calls(event, 10 * times);
	}
}

BOOST_AUTO_TEST_CASE(several_system_calls, *needs("bpf")
    * description("STACK9_WATCH_REGEX: names of events are regular "
    "expressions, else patterns"))
{
	for (const char *event : {"syscall:get?pid", "syscall:get(p|pp)id"}) {
		staged p("deep", {"3", "600"});
		stack9::watch_filter f = only(p.pid());
		f.flags = event[11] == '(' ? STACK9_WATCH_REGEX : 0;
		watching w(event, f, counted(STACK9_USER));
		w.all_of(p);
		w.end();
		BOOST_TEST(events_in(w.samples, "descend") == 600u);
		BOOST_TEST(w.tally().probes >= 1u);
	}
}

BOOST_AUTO_TEST_SUITE_END()
