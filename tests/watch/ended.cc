// Watches processes that are gone when their stacks are read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <set>

#include <sys/wait.h>

#include "core/seam/record.h"
#include "paths.h"

BOOST_AUTO_TEST_SUITE(watch_ended)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:getppid";

// Lets a program that has one event run to its end.
void
end_by_one_event(staged &p, watching &w)
{
	p.go();
	p.truth();
	p.end();
	w.end();
	BOOST_TEST(events_in(w.samples) == 1u);
}

} // namespace

BOOST_AUTO_TEST_CASE(are_named_all_the_same, *needs("bpf")
    * description("stack9_watch_read: The mappings of a process that is seen "
    "for the first time are read, so that its addresses can be named when it "
    "has ended"))
{
	for (const unsigned int how : either_walk) for (int left = 5;;) {
		staged tree("tree", {"300"});
		const pid_t pid = tree.pid();
		watching w(event, only(pid), counted(STACK9_USER, how));
		w.all_of(tree);
		tree.end();
		w.end();
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(s.thread.pid == pid);
			BOOST_TEST(s.comm == "tree");
		}
		const ways all(w.samples);
		BOOST_TEST(all.lost == 0u);
		if (is_made_again(w.tally(), events_of(300), left))
			continue;
		BOOST_TEST(all.wrong(300).size() == 0u, told(w.tally()));
		break;
	}
}

// The first read comes after its threads have ended; the process is alive.
BOOST_AUTO_TEST_CASE(threads_that_ended, *needs("bpf")
    * description("stack9_watch_read: The mappings of a process that is seen "
    "for the first time are read, so that its addresses can be named when it "
    "has ended"))
{
	constexpr std::uint64_t times = 100;
	for (const unsigned int how : either_walk) {
		staged p("threads", {std::to_string(times)});
		watching w(event, only(p.pid()), counted(STACK9_USER, how));
		p.go();
		p.truth();
		w.end();
		BOOST_TEST(events_in(w.samples, "one") == times);
		BOOST_TEST(events_in(w.samples, "two") == 2 * times);
		BOOST_TEST(events_in(w.samples, "three") == 3 * times);
	}
}

// Its parent gets a signal when it has left its memory.
BOOST_AUTO_TEST_CASE(while_it_ends, *needs("bpf")
    * description("STACK9_WHY_EXITING for the user stack of a thread that ends "
    "and has left its memory"))
{
	constexpr char to_its_parent[] = "t:signal:signal_generate";
	for (const unsigned int how : {0u, unsigned{STACK9_WATCH_COPY},
	    unsigned{STACK9_WATCH_FRAME_POINTERS}}) {
		staged p("deep", {"1", "1"});
		watching w(to_its_parent, only(p.pid()), counted(STACK9_USER,
		    how));
		end_by_one_event(p, w);
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(s.user.pcs.size() == 0u);
			BOOST_TEST(s.user.why == STACK9_WHY_EXITING);
			BOOST_TEST(s.user.error == ESRCH);
		}
	}
}

BOOST_AUTO_TEST_CASE(while_they_were_hardly_there, *needs("bpf")
    * description("STACK9_WATCH_COUNT: events of processes that start a "
    "program and end at once are counted as all are"))
{
	const std::uint64_t children = in_guest() ? 30 : 100;
	staged p("brief", {std::to_string(children)});
	stack9::watch_filter f{};
	f.comm = "brief";
	watching w(event, f, counted(STACK9_USER, STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	std::set<pid_t> pids;
	std::uint64_t named = 0;
	for (const kept_sample &s : w.samples) {
		pids.insert(s.thread.pid);
		BOOST_TEST(s.user.pcs.size() > 0u);
		BOOST_TEST(s.comm == "brief");
		named += s.user.has("briefly") ? s.events : 0;
	}
	BOOST_TEST_MESSAGE(named << " of " << 3 * children << " are named");
	BOOST_TEST(pids.size() == children);
	BOOST_TEST(events_in(w.samples) == 3 * children);
	BOOST_TEST(w.tally().events == 3 * children);
}

BOOST_AUTO_TEST_CASE(hardly_there_and_copied, *needs("bpf")
    * description("STACK9_WATCH_STREAM: each event; those of processes that "
    "are gone too"))
{
	constexpr std::uint64_t children = 50;
	staged p("brief", {std::to_string(children)});
	stack9::watch_filter f{};
	f.comm = "brief";
	watching w(event, f, streamed(STACK9_USER));
	w.all_of(p);
	w.end();
	BOOST_TEST(w.samples.size() == 3 * children);
	for (const kept_sample &s : w.samples)
		BOOST_TEST((s.user.pcs.size() > 0 || s.user.error != 0));
}

namespace {

enum class by {
	pid, tid, comm,
};

stack9::watch_filter
filter(by what, pid_t pid)
{
	stack9::watch_filter f{};
	if (what == by::pid)
		f.pid = pid;
	else if (what == by::tid)
		f.tid = pid;
	else
		f.comm = "deep";
	return f;
}

// The kernel's log of mappings loses some on a busy machine, and this is
// reported.
bool
is_lost(const watching &w)
{
	return w.samples.size() == 1 &&
	    w.samples[0].user.why == STACK9_WHY_GONE;
}

// The first read comes when the process has ended.
void
end_at_once(unsigned int how, const char *function)
{
	for (const by what : {by::pid, by::tid, by::comm})
	    for (int left = 5;;) {
		staged p("deep", {"1", "1"});
		const auto f = filter(what, p.pid());
		watching w("syscall:exit_group", f, counted(STACK9_USER, how));
		end_by_one_event(p, w);
		if (is_lost(w) && --left > 0)
			continue;
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(s.user.error == 0, s.user.reason);
			BOOST_TEST(s.user.has("_exit"), s.user.reason);
			BOOST_TEST(s.user.has(function), s.user.reason);
		}
		break;
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(by_their_last_event, *needs("bpf") * copied()
    * description("The mappings that processes have when the watch begins are "
    "read, so that a process whose first event is its last has names, too."))
{
	end_at_once(0, "main");
}

BOOST_AUTO_TEST_CASE(by_the_signal_that_kills_them, *needs("bpf") * copied())
{
	for (const by what : {by::pid, by::tid, by::comm}) {
		staged p("deep", {"1", "1"});
		watching w("t:signal:signal_deliver", filter(what, p.pid()),
		    counted(STACK9_USER));
		BOOST_REQUIRE(kill(p.pid(), SIGABRT) == 0);
		siginfo_t ended{};
		BOOST_REQUIRE(waitid(P_PID, static_cast<id_t>(p.pid()), &ended,
		    WEXITED | WNOWAIT) == 0);
		w.end();
		BOOST_TEST(events_in(w.samples) == 1u);
		for (const kept_sample &s : w.samples)
			BOOST_TEST(s.user.has("main"), s.user.reason);
	}
}

// The C library has no frame pointers, so its caller is not there.
BOOST_AUTO_TEST_CASE(by_their_last_event_and_frame_pointers, *needs("bpf"))
{
	end_at_once(STACK9_WATCH_FRAME_POINTERS, "_exit");
}

BOOST_AUTO_TEST_SUITE_END()
