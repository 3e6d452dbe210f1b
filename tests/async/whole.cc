// Tests stacks of any depth and of any code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core/seam/record.h"
#include "deep.h"
#include "target.h"	// of tests/targets

BOOST_AUTO_TEST_SUITE(async_whole)

namespace {

// In the 14 KiB of its own, in some more, and in all that it may have.
constexpr std::uint64_t depths[] = {8, 20, 40, 100, 400};

void
noted_in(const target &t, const answer &a)
{
	const stack9::stack_record &rec = a.user.rec;
	BOOST_TEST(rec.error == 0);
	BOOST_TEST(rec.why == STACK9_WHY_NONE, stack9_why_text(rec.why));
	BOOST_REQUIRE(t.noted().size() == 3u);
	const std::uintptr_t *const end = rec.pcs + rec.depth;
	BOOST_TEST((std::search(rec.pcs, rec.pcs + rec.depth,
	    t.noted().begin(), t.noted().end()) != end));
}

#if defined(__x86_64__)
// For ever, with a stack pointer that leads nowhere.
void
lose_the_stack(puppets::strings &mine)
{
	mine.word[1] = 1;
	asm volatile("mov $4096, %%rsp\n1:\tjmp 1b" ::: "memory");
	__builtin_unreachable();
}
#endif

} // namespace

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(no_stack_at_all, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("EFAULT: it has no stack"))
{
	puppets p;
	p.run(lose_the_stack);
	answer a(p.pid());
	// The first may still meet it on its way.
	for (int i = 0; i < 1000 && a.user.rec.error == 0; i++) {
		const submission s(p.tid());
		BOOST_TEST(a.outcome(s.id) == 0);
	}
	BOOST_TEST(a.user.rec.error == EFAULT);
	BOOST_TEST(a.user.rec.depth == 0u);
}
#endif

BOOST_AUTO_TEST_CASE(deep_and_asleep, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "bytes more for stacks of which more than 14 KiB are in use"))
{
	puppets p;
	for (const std::uint64_t frames : depths) {
		deep::send(p, frames);
		const submission s(p.tid());
		answer a(p.pid());
		BOOST_TEST(a.collect(s.id) == EAGAIN);
		p.go_on();
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.fault({"syscall", "wait", "step_down", "obey"}) ==
		    "");
		BOOST_TEST(deep::frames_in(a) == frames);
		p.settle();
	}
}

BOOST_AUTO_TEST_CASE(deep_and_running, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "bytes more for stacks of which more than 14 KiB are in use"))
{
	puppets p;
	for (const std::uint64_t frames : depths) {
		deep::send(p, frames, true);
		for (int i = 0; i < 5; i++) {
			const submission s(p.tid());
			answer a(p.pid());
			BOOST_TEST(a.outcome(s.id) == 0);
			BOOST_TEST(a.fault({"spin", "step_down", "obey"}) ==
			    "");
			BOOST_TEST(deep::frames_in(a) == frames);
		}
		p.go_on();
		p.settle();
	}
}

BOOST_AUTO_TEST_CASE(the_memory_comes_back, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Releases the id and its memory"))
{
	puppets p;
	deep::send(p, 300, true);
	for (int i = 0; i < 200; i++) {
		const submission s(p.tid());
		answer a(p.pid());
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_REQUIRE_EQUAL(deep::frames_in(a), 300u);
	}
}

BOOST_AUTO_TEST_CASE(cut_at_the_room, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "the caller sets pcs and max; deeper than max: TRUNCATED"))
{
	puppets p;
	deep::send(p, 10);
	const submission s(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
	answer all(p.pid());
	BOOST_TEST(all.outcome(s.id) == 0);
	const std::uint32_t depth = all.user.rec.depth;
	for (std::uint32_t max = 1; max <= depth; max++) {
		answer a(p.pid(), max);
		BOOST_TEST(a.collect(s.id) == 0);
		BOOST_TEST(a.user.rec.depth == max);
		BOOST_TEST(std::equal(a.user.pcs, a.user.pcs + max,
		    all.user.pcs));
		BOOST_TEST(a.user.rec.why == (max == depth ?
		    STACK9_WHY_NONE : STACK9_WHY_TRUNCATED));
	}
}

// With and without frame pointers, tables, symbols.
BOOST_AUTO_TEST_CASE(of_any_code, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("code without frame pointers, too"))
{
	for (const char *const name : {"plain", "no_fp", "unoptimized",
	    "stripped", "static", "static_pie"})
		BOOST_TEST_CONTEXT(name) {
			if (program(name).empty())
				continue;
			const target spins({program(name), "spin"}, true);
			answer a(spins.pid());
			const submission s(spins.pid());
			BOOST_TEST(a.outcome(s.id) == 0);
			noted_in(spins, a);

			const target blocks({program(name), "read"});
			answer b(blocks.pid());
			const submission now(blocks.pid(), STACK9_BOTH,
			    STACK9_ASYNC_WAKE);
			BOOST_TEST(b.outcome(now.id) == 0);
			noted_in(blocks, b);
		}
}

BOOST_AUTO_TEST_SUITE_END()
