// Tests which threads' events pass a filter.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "core/seam/record.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_filters)

namespace {

using boost::unit_test::description;
namespace fs = std::filesystem;

constexpr char event[] = "syscall:getppid";
constexpr std::uint64_t times = 500;

// Two processes of three threads do the same; only one is watched.
stack9::watch_totals
taken(stack9::watch_filter f, std::size_t tid_index, bool its_pid,
    stack9_watch_mode what = STACK9_WATCH_COUNT)
{
	staged mine("threads", {std::to_string(times)});
	staged other("threads", {std::to_string(times)});
	if (its_pid)
		f.pid = mine.pid();
	if (tid_index < 3)
		f.tid = static_cast<pid_t>(mine.ready()[tid_index]);
	stack9::watch_sink sink = counted(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS);
	sink.what = what;
	watching w(event, f, sink);
	other.go();
	w.all_of(mine);
	w.until_done(other);
	w.end();
	check_sum(w.tally());
	BOOST_TEST(events_in(w.samples) == w.tally().kept);
	return w.tally();
}

std::string
one_cpu()
{
	return sysconf(_SC_NPROCESSORS_ONLN) < 2 ? "one CPU" : "";
}

} // namespace

BOOST_AUTO_TEST_CASE(one_process, *needs("bpf")
    * description("pid: events of this process"))
{
	BOOST_TEST(taken({}, 3, true).kept == 6 * times);
}

// In each way in which the library attaches to system calls.
BOOST_AUTO_TEST_CASE(threads_that_share_a_cpu, *needs("bpf")
    * description("System calls that threads make by turns on one CPU are all "
    "shown."))
{
	for (const char *const calls : {event, "syscall:getp*id"})
		for (const auto side : {STACK9_USER, STACK9_BOTH}) {
			staged p("threads", {std::to_string(times)});
			watching w(calls, only(p.pid()),
			    counted(side, STACK9_WATCH_FRAME_POINTERS));
			w.all_of(p);
			w.end();
			BOOST_TEST(events_in(w.samples) == 6 * times);
			BOOST_TEST(w.tally().skipped == 0u);
		}
}

BOOST_AUTO_TEST_CASE(what_is_not_shown, *needs("bpf")
    * description("The kernel counts these events in skipped."))
{
	staged p("threads", {std::to_string(times)});
	watching w("t:raw_syscalls:sys_enter", only(p.pid()),
	    counted(STACK9_USER, STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	std::uint64_t shown = 0;
	for (const char *const caller : {"one", "two", "three"})
		shown += events_in(w.samples, caller);
	BOOST_TEST(shown <= 6 * times);
	BOOST_TEST(shown + w.tally().skipped >= 6 * times);
}

BOOST_AUTO_TEST_CASE(one_thread, *needs("bpf")
    * description("tid: events of this thread"))
{
	BOOST_TEST(taken({}, 1, false).kept == 2 * times);
	BOOST_TEST(taken({}, 2, true).kept == 3 * times);
}

BOOST_AUTO_TEST_CASE(those_of_a_name, *needs("bpf")
    * description("comm: events of threads that have this name"))
{
	stack9::watch_filter f{};
	f.comm = "t-three";
	BOOST_TEST(taken(f, 3, true).kept == 3 * times);
	BOOST_TEST(taken(f, 3, false).kept == 2 * 3 * times);
	f.comm = "t-thre";	// the beginning of a name is not it
	BOOST_TEST(taken(f, 3, false).events == 0u);
}

BOOST_AUTO_TEST_CASE(those_on_a_cpu, *needs("bpf") * unless(one_cpu)
    * description("STACK9_WATCH_ONE_CPU: events on this CPU"))
{
	stack9::watch_filter f{};
	f.flags = STACK9_WATCH_ONE_CPU;
	f.cpu = 1;
	BOOST_TEST(taken(f, 3, true).kept == 2 * times);
	f.cpu = 0;
	BOOST_TEST(taken(f, 3, true).kept == 4 * times);
}

BOOST_AUTO_TEST_CASE(all_of_them_at_once, *needs("bpf")
    * description("filter: an event passes only if all members of the filter "
    "let it pass"))
{
	stack9::watch_filter f{};
	f.comm = "t-one";
	BOOST_TEST(taken(f, 0, true).kept == times);
	BOOST_TEST(taken(f, 1, true).events == 0u);
}

BOOST_AUTO_TEST_CASE(so_many, *needs("bpf")
    * description("limit: so many events, exactly"))
{
	stack9::watch_filter f{};
	f.comm = "t-three";
	for (const auto what : {STACK9_WATCH_COUNT, STACK9_WATCH_STREAM})
		for (const std::uint64_t limit : {1u, 777u}) {
			f.limit = limit;
			const stack9::watch_totals t = taken(f, 3, false, what);
			BOOST_TEST_CONTEXT(told(t)) {
				BOOST_TEST(t.events == limit);
				BOOST_TEST(t.kept == limit);
			}
		}
}

namespace {

// The directory that cgroup v2 is mounted on; "" if it is not.
std::string
cgroup_root()
{
	std::ifstream mounts("/proc/mounts");
	std::string device, where, type, rest;
	while (mounts >> device >> where >> type && std::getline(mounts, rest))
		if (type == "cgroup2")
			return where;
	return "";
}

// Makes a group with another one below it; removes both.  They are empty by
// then.
struct group {
	group()
	{
		std::error_code failed;
		const std::string root = cgroup_root();
		path = root + "/stack9_test_" + std::to_string(getpid());
		if (root.empty() || !fs::create_directories(path + "/below",
		    failed))
			path.clear();
	}
	group(const group &) = delete;
	~group()
	{
		if (path.empty())
			return;
		rmdir((path + "/below").c_str());
		rmdir(path.c_str());
	}
	static void
	take(const std::string &directory, pid_t pid)
	{
		std::ofstream f(directory + "/cgroup.procs");
		f << pid << std::flush;
		BOOST_TEST(f.good());
	}

	std::string	path;
};

std::string
no_cgroup()
{
	return group().path.empty() ? "no cgroup v2 that can be written to" :
	    "";
}

} // namespace

BOOST_AUTO_TEST_CASE(of_a_cgroup, *needs("bpf") * unless(no_cgroup)
    * description("cgroup: events in this directory of cgroup v2 and in those "
    "below it"))
{
	group g;
	staged in("deep", {"5", "100"}), below("deep", {"5", "70"});
	staged outside("deep", {"5", "40"});
	group::take(g.path, in.pid());
	group::take(g.path + "/below", below.pid());
	stack9::watch_filter f{}, g_below{};
	const std::string lower = g.path + "/below";
	f.cgroup = g.path.c_str();
	g_below.cgroup = lower.c_str();
	watching both(event, f, counted(STACK9_USER));
	watching one(event, g_below, counted(STACK9_USER));
	in.go();
	below.go();
	both.all_of(outside);
	both.until_done(in);
	both.until_done(below);
	both.end();
	one.end();
	BOOST_TEST(events_in(both.samples) == 170u);
	BOOST_TEST(events_in(one.samples) == 70u);
	in.end();
	below.end();
}

BOOST_AUTO_TEST_SUITE_END()
