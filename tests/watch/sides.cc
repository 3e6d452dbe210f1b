// Tests which side of a stack comes, how much of it, and whose it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fstream>
#include <set>

#include "core/seam/record.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_sides)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:getppid";

std::uint32_t
most_frames()
{
	std::uint32_t n = 0;
	std::ifstream("/proc/sys/kernel/perf_event_max_stack") >> n;
	return n;
}

std::size_t
count_of(const kept_side &side, const std::string &function)
{
	const auto names = side.names();
	return static_cast<std::size_t>(std::count(names.begin(), names.end(),
	    function));
}

void
check_truncated(const watching &w, std::uint32_t frames, std::uint64_t times)
{
	BOOST_TEST(w.tally().frames == frames);
	BOOST_TEST(w.tally().truncated == times);
	BOOST_TEST(events_in(w.samples) == times);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.user.error == 0);
		BOOST_TEST(s.user.why == STACK9_WHY_TRUNCATED);
		BOOST_TEST(s.user.pcs.size() == frames);
		BOOST_TEST(count_of(s.user, "descend") + 3 >= frames);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(the_kernels_alone, *needs("bpf")
    * description("kernel, user: NULL: not asked for; thread: pid 0 if "
    "processes are not counted separately"))
{
	staged p("deep", {"5", "1000"});
	watching w(event, only(p.pid()), counted(STACK9_KERNEL));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples) == 1000u);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(!s.user.asked);
		BOOST_TEST(s.kernel.asked);
		BOOST_TEST(s.kernel.error == 0);
		BOOST_TEST(s.kernel.pcs.size() > 0u);
		BOOST_TEST(s.thread.pid == 0);
		BOOST_TEST(s.thread.tid == 0);
		BOOST_TEST(s.cpu == -1);
	}
}

BOOST_AUTO_TEST_CASE(the_kernels_by_process, *needs("bpf")
    * description("STACK9_WATCH_BY_PROCESS: count each process separately, for "
    "kernel stacks too"))
{
	staged one("deep", {"5", "300"}), two("deep", {"5", "500"});
	stack9::watch_filter f{};
	f.comm = "deep";
	watching w(event, f, counted(STACK9_KERNEL, STACK9_WATCH_BY_PROCESS));
	one.go();
	w.all_of(two);
	w.until_done(one);
	w.end();
	std::uint64_t ones = 0, twos = 0;
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.comm == "deep");
		if (s.thread.pid == one.pid())
			ones += s.events;
		if (s.thread.pid == two.pid())
			twos += s.events;
	}
	BOOST_TEST(ones == 300u);
	BOOST_TEST(twos == 500u);
	BOOST_TEST(events_in(w.samples) == 800u);
}

BOOST_AUTO_TEST_CASE(the_users_alone, *needs("bpf")
    * description("kernel, user: NULL: not asked for"))
{
	for (const unsigned int how : either_walk) {
		staged p("deep", {"5", "100"});
		watching w(event, only(p.pid()), counted(STACK9_USER, how));
		w.all_of(p);
		w.end();
		BOOST_TEST(events_in(w.samples) == 100u);
		BOOST_TEST(w.samples.size() == 1u);
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(!s.kernel.asked);
			BOOST_TEST(s.user.why == STACK9_WHY_NONE);
			BOOST_TEST(s.user.has("main"));
			BOOST_TEST(s.thread.pid == p.pid());
		}
		BOOST_TEST(w.tally().truncated == 0u);
	}
}

BOOST_AUTO_TEST_CASE(all_its_frames, *needs("bpf") * copied()
    * description("user side: copied, and unwound as stack9_save() does it"))
{
	staged p("deep_lean", {"40", "100"});
	watching w(event, only(p.pid()), counted(STACK9_BOTH));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples) == 100u);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(count_of(s.user, "descend") == 41u);
		BOOST_TEST(s.user.has("main"));
		BOOST_TEST(s.kernel.pcs.size() > 0u);
	}
}

BOOST_AUTO_TEST_CASE(deeper_than_the_kernel_walks, *needs("bpf")
    * description("frames: 0: as many as kernel.perf_event_max_stack says; "
    "truncated: deeper than was asked for, or than the sysctl"))
{
	const std::string levels = std::to_string(most_frames() + 100);
	staged p("deep", {levels, "7"});
	watching w(event, only(p.pid()), counted(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	check_truncated(w, most_frames(), 7);
}

BOOST_AUTO_TEST_CASE(deeper_than_was_asked_for, *needs("bpf")
    * description("frames: of a side, at most; truncated: deeper than was "
    "asked for"))
{
	for (const unsigned int how : either_walk) {
		staged p("deep", {"50", "9"});
		stack9::watch_sink sink = counted(STACK9_USER, how);
		sink.frames = 10;
		watching w(event, only(p.pid()), sink);
		w.all_of(p);
		w.end();
		check_truncated(w, 10, 9);
	}
}

BOOST_AUTO_TEST_CASE(as_deep_as_is_copied, *needs("bpf") * copied()
    * description("Up to 512 KiB of a user stack are copied, and 32 KiB while "
    "a quarter of the ring is filled or where the end of the stack is not "
    "known."))
{
	for (const char *const levels : {"40", "100", "700"})
		for (const char *const program : {"wide", "wide_lean"}) {
			staged p(program, {levels, "7"});
			watching w(event, only(p.pid()), counted(STACK9_USER));
			w.all_of(p);
			w.end();
			BOOST_TEST(events_in(w.samples) == 7u);
			BOOST_TEST(w.tally().truncated == 0u);
			for (const kept_sample &s : w.samples) {
				BOOST_TEST(s.user.why == STACK9_WHY_NONE,
				    s.user.reason);
				BOOST_TEST(count_of(s.user, "descend") ==
				    std::stoul(levels) + 1);
				BOOST_TEST(s.user.has("main"));
			}
		}
}

// 9000 frames take 144 KiB.
BOOST_AUTO_TEST_CASE(all_the_frames_of_a_copy, *needs("bpf") * copied()
    * description("If 0 is given, these have all the frames that are in the "
    "copy."))
{
	for (const char *const levels : {"1020", "1100", "9000"})
		for (const unsigned int how : {0u, STACK9_WATCH_COPY}) {
			staged p("deep_lean", {levels, "7"});
			watching w(event, only(p.pid()), counted(STACK9_USER,
			    how));
			w.all_of(p);
			w.end();
			BOOST_TEST(events_in(w.samples) == 7u);
			BOOST_TEST(events_in(w.samples, "main") == 7u);
			BOOST_TEST(w.tally().truncated == 0u);
			for (const kept_sample &s : w.samples)
				BOOST_TEST(count_of(s.user, "descend") ==
				    std::stoul(levels) + 1);
		}
}

BOOST_AUTO_TEST_CASE(no_more_frames_than_asked_for, *needs("bpf") * copied()
    * description("frames: The maximum number of frames of a side."))
{
	staged p("deep_lean", {"3000", "7"});
	stack9::watch_sink sink = counted(STACK9_USER);
	sink.frames = 1000;
	watching w(event, only(p.pid()), sink);
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples) == 7u);
	BOOST_TEST(w.tally().truncated == 7u);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.user.pcs.size() == 1000u);
		BOOST_TEST(s.user.dropped > 2000u);
		BOOST_TEST(s.user.why == STACK9_WHY_TRUNCATED);
	}
}

BOOST_AUTO_TEST_CASE(pages_that_are_not_in_memory, *needs("bpf") * copied()
    * description("Pages that are not in memory are passed over, up to three "
    "groups of them."))
{
	for (const char *const levels : {"0", "1", "2"})
		for (const char *const program : {"hollow", "hollow_lean"}) {
			staged p(program, {levels, "7"});
			watching w(event, only(p.pid()), counted(STACK9_USER));
			w.all_of(p);
			w.end();
			BOOST_TEST(events_in(w.samples) == 7u);
			for (const kept_sample &s : w.samples) {
				BOOST_TEST(s.user.why == STACK9_WHY_NONE,
				    s.user.reason);
				BOOST_TEST(count_of(s.user, "descend") ==
				    std::stoul(levels) + 1);
				BOOST_TEST(s.user.has("main"));
			}
		}
}

BOOST_AUTO_TEST_CASE(more_such_pages_than_are_passed_over, *needs("bpf")
    * copied() * description("A stack with more of them ends there "
    "(STACK9_WHY_MEMORY) unless it is walked by learned rules."))
{
	staged p("hollow", {"5", "7"});
	watching w(event, only(p.pid()), counted(STACK9_USER,
	    STACK9_WATCH_COPY));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples) == 7u);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.user.why == STACK9_WHY_MEMORY, s.user.reason);
		BOOST_TEST(count_of(s.user, "descend") == 4u);
	}
}

BOOST_AUTO_TEST_CASE(deeper_than_is_copied, *needs("bpf") * copied()
    * description("truncated: a user stack of which more was in use than is "
    "copied"))
{
	staged p("wide_lean", {"1100", "7"});
	watching w(event, only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples) == 7u);
	BOOST_TEST(w.tally().truncated == 7u);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.user.why == STACK9_WHY_TRUNCATED);
		BOOST_TEST(count_of(s.user, "descend") > 30u);
	}
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(jit_code, *needs("bpf") * copied()
    * description("Code that the program has made while it ran, in memory that "
    "is executable and of no file, is passed by its frame pointers if they "
    "lead up the stack to code with unwind information and a call before the "
    "return address."))
{
	for (const char *const program : {"made", "made_lean"}) {
		staged p(program, {"20"});
		watching w(event, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		BOOST_TEST(events_in(w.samples) == 20u);
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(s.user.why == STACK9_WHY_NONE,
			    s.user.reason);
			BOOST_TEST((s.user.flags & STACK9_STACK_GUESSED) != 0);
			BOOST_TEST(s.user.has("below"));
			BOOST_TEST(s.user.has("above"));
			BOOST_TEST(s.user.has("main"));
		}
	}
}
#endif

BOOST_AUTO_TEST_SUITE_END()
