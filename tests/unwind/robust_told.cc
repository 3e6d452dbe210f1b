// Tests captures on stacks a program announces, and on paths that take turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <alloca.h>
#include <csignal>

#include <stack9_coroutines.h>
#include <sys/mman.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_counts.h"
#include "robust_fiber.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(told)

namespace {

void
agree(void *where)
{
	must_agree(static_cast<const char *>(where), outermost::unmarked);
}

void
agree_under(unsigned int depth, const char *where)
{
	under(depth, agree, const_cast<char *>(where));
}

// A coroutine that announces its stack whenever it goes on, and none when it
// pauses.  It may leave out the outermost bytes.
class reporter {
public:
	using body = std::function<void(reporter &)>;

	reporter(fiber::memory m, body b, std::size_t untold = 0)
	    : low_(m.begin()), size_(m.size() - untold),
	      in_(std::move(m), [this, b] {
			tell();
			b(*this);
			stack9_switch_stack(nullptr, 0);
	      }) {}

	void resume() { in_.resume(); }
	void
	pause()
	{
		stack9_switch_stack(nullptr, 0);
		in_.pause();
		tell();
	}
	void tell() const { stack9_switch_stack(low_, size_); }

private:
	const char	*low_;
	std::size_t	 size_;
	fiber		 in_;
};

void
capture(void *)
{
	static frames seen;
	static stack9::stack_record rec;
	OUR_FRAMES(seen, rec);
	must(rec.error == 0 && rec.depth > 0, "something is captured");
}

// System calls for so many captures of a stack of several pages.
std::uint64_t
probes_of_captures()
{
	constexpr unsigned int depth = 300;
	under(depth, capture, nullptr);		// now the pcs are known
	under(depth, capture, nullptr);
	const std::uint64_t before = count_of("probes");
	for (int i = 0; i < 100; i++)
		under(depth, capture, nullptr);
	return count_of("probes") - before;
}

void
no_system_call()
{
	capture(nullptr);	// threads that have not captured take no note
	reporter told(fiber::memory(262144), [](reporter &self) {
		must(probes_of_captures() == 0, "none is asked for");
		stack9_switch_stack(nullptr, 0);
		must(probes_of_captures() >= 100, "any other is");
		self.tell();
		must(probes_of_captures() == 0, "a stack is told again");
	});
	told.resume();
}

// Large, gone, small at the same place, gone: what was announced is no longer
// true.
void
reuse_memory()
{
	std::minstd_rand random(4);
	char *place = nullptr;
	capture(nullptr);
	for (int i = 0; i < 2000; i++) {
		fiber::memory m(i % 2 == 0 ? 262144 : 32768, place);
		place = m.begin() - page;
		reporter t(std::move(m), [&](reporter &) {
			const auto depth =
			    static_cast<unsigned int>(random() % 50);
			agree_under(depth, "on new memory");
			agree_under(depth, "on new memory, again");
		});
		t.resume();
	}
}

// More than there are memos, on two threads in turn.
void
switch_often()
{
	std::minstd_rand random(5);
	std::vector<std::unique_ptr<reporter>> all;
	for (int i = 0; i < 100; i++)
		all.push_back(std::make_unique<reporter>(fiber::memory(65536),
		    [depth = static_cast<unsigned int>(random() % 30)](
		    reporter &self) {
			for (unsigned int n = 0;; n++) {
				agree_under(depth + n % 3, "of many");
				self.pause();
			}
		}));
	const auto resume_some = [&] {
		for (int i = 0; i < 200; i++)
			all[random() % (i % 2 == 0 ? 4 : all.size())]->resume();
	};
	for (int i = 0; i < 20; i++) {
		resume_some();
		std::thread(resume_some).join();
	}
}

// The frames lie in the part that is not announced.
void
report_a_part()
{
	capture(nullptr);
	reporter t(fiber::memory(65536), [](reporter &) {
		for (int i = 0; i < 100; i++) {
			agree_under(5, "beyond what was told");
			under(150, [](void *) {
				agree_under(5, "from inside to beyond");
			}, nullptr);
		}
	}, 4096);
	t.resume();
}

void
interrupt()
{
	std::signal(SIGUSR1, [](int) {
		must_agree("in a handler on a coroutine",
		    outermost::unmarked);
	});
	capture(nullptr);
	reporter t(fiber::memory(65536), [](reporter &) {
		for (unsigned int i = 0; i < 100; i++)
			under(i % 7, [](void *) {
				must(raise(SIGUSR1) == 0, "a signal comes");
				keep(nullptr);
			}, nullptr);
	});
	t.resume();
}

// Counts the pages below an address that are mapped, or are not; some at most.
std::size_t
pages_below(const char *at, bool mapped)
{
	constexpr std::size_t most = 4096;
	unsigned char in;
	std::size_t n = 0;
	while (n < most && (mincore(const_cast<char *>(at) - (n + 1) * page,
	    page, &in) == 0) == mapped)
		n++;
	return n;
}

// A stack that nothing parts from the first thread's descriptor may not be
// remembered as the thread's own, for it may go.
void
lie_below_the_descriptor()
{
	auto *at = reinterpret_cast<char *>(reinterpret_cast<std::uintptr_t>(
	    __builtin_thread_pointer()) & ~(page - 1));
	at -= pages_below(at, true) * page;
	const std::size_t gap = pages_below(at, false);
	tell("%zu pages are free below the descriptor", gap);
	if (gap < 18)
		return;
	const std::size_t size = 16 * page;
	fiber::memory m(size, at - size - 2 * page);
	must(mprotect(m.begin() + size, page, PROT_READ | PROT_WRITE) == 0,
	    "it reaches up to what is mapped");
	fiber f(std::move(m), [] {
		must(probes_of_captures() >= 100, "each page is asked for");
	});
	f.resume();
}

// The same frames except one address.
[[gnu::noinline]] void
go_one_of_two_ways(unsigned int depth, bool way)
{
	if (way) {
		agree_under(depth, "on one way");
		keep(&depth);
	} else {
		agree_under(depth, "on the other way");
		keep(&way);
	}
}

// So that no two paths have a frame in common, but the outermost few.
[[gnu::noinline]] void
set_out(unsigned int path, bool way)
{
	keep(alloca(32 + 48 * path));
	go_one_of_two_ways(40 + path % 3, way);
}

void
take_turns(unsigned int paths)
{
	std::minstd_rand random(6);
	std::thread([&] {
		for (int i = 0; i < 4000; i++)
			set_out(static_cast<unsigned int>(i) % paths,
			    i < 1000 ? true : random() % 4 != 0);
	}).join();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_stack_that_is_reported_is_not_asked_for, *description(
    "With it a capture there makes no system call once warm, and frames that "
    "have not changed since the last capture on that stack are read once and "
    "compared."))
{
	BOOST_TEST(in_child(no_system_call) == "");
}

BOOST_AUTO_TEST_CASE(memory_of_reported_stacks_may_be_mapped_anew)
{
	BOOST_TEST(in_child(reuse_memory) == "");
}

BOOST_AUTO_TEST_CASE(reported_stacks_may_change_threads)
{
	BOOST_TEST(in_child(switch_often) == "");
}

BOOST_AUTO_TEST_CASE(frames_beyond_what_was_reported_are_found, *description(
    "Frames beyond what was announced are found, slowly."))
{
	BOOST_TEST(in_child(report_a_part) == "");
}

BOOST_AUTO_TEST_CASE(a_coroutine_below_the_first_descriptor_is_not_home)
{
	BOOST_TEST(in_child(lie_below_the_descriptor) == "");
}

BOOST_AUTO_TEST_CASE(handlers_on_a_reported_stack_are_walked_through)
{
	BOOST_TEST(in_child(interrupt) == "");
}

BOOST_AUTO_TEST_CASE(paths_that_take_turns_are_what_they_are)
{
	BOOST_TEST(in_child([] { take_turns(3); }) == "");
	BOOST_TEST(in_child([] { take_turns(12); }) == "");
	BOOST_TEST(in_child([] { take_turns(200); }) == "");
}

BOOST_AUTO_TEST_SUITE_END()
