// Tests captures on stacks that lead astray: they end, and nothing crashes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_save.h"
#include "robust_astray.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <thread>

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "robust_child.h"
#include "robust_fiber.h"
#include "robust_spoiled.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(astray)

namespace {

constexpr int variants = 20000;

// A frame's saved frame pointer and return address, and the words from the end
// of its function's frame on.  Between them, on aarch64, are the locals of the
// function.  It needs them itself.
struct target {
	std::uintptr_t	*frame, *outer, *end;

	template <class F>
	void
	each_word(F f) const
	{
		std::for_each(frame, frame + 2, f);
		std::for_each(outer, end, f);
	}
};

void
spoil(lures &bad, const target &t)
{
	std::uintptr_t *const frame = t.frame;
	std::uintptr_t *const one = frame_at(frame, bad.below(8));
	switch (bad.below(6)) {
	case 0:
		one[0] = bad.pointer();
		break;
	case 1:
		one[1] = bad.below(4) == 0 ? 0 : bad.code();
		break;
	case 2:
		one[0] = bad.pointer();
		one[1] = bad.code();
		break;
	case 3:		// round in a ring
		one[0] = reinterpret_cast<std::uintptr_t>(frame_at(frame,
		    bad.below(8)));
		break;
	case 4:
		t.each_word([&](std::uintptr_t &word) {
			if (bad.below(4) == 0)
				word = bad.any();
		});
		break;
	default:
		t.each_word([&](std::uintptr_t &word) { word = bad.any(); });
	}
}

struct journey {
	lures		&bad;
	std::uint32_t	 whole = 0;	// frames where all is well
	// The ends of the spoiled ones, and the frames until then.
	int		 complete = 0, cut = 0, stopped = 0;
	std::uint64_t	 frames = 0;
};

frames seen;
stack9::stack_record rec;

void
must_be_sound(const journey &j, bool astray)
{
	must(rec.error == 0 && rec.depth > 0, "there is a frame at least");
	must(rec.depth <= frames_room, "no more than there is room for");
	if (!astray && (rec.why != STACK9_WHY_NONE ||
	    (j.whole != 0 && rec.depth != j.whole)))
		broken("an unspoiled stack: %u frames of %u, why %d",
		    rec.depth, j.whole, rec.why);
}

void
tally(journey &j)
{
	j.complete += rec.why == STACK9_WHY_NONE;
	j.cut += rec.why == STACK9_WHY_TRUNCATED;
	j.stopped += rec.why == STACK9_WHY_UNWIND ||
	    rec.why == STACK9_WHY_REGISTERS || rec.why == STACK9_WHY_MEMORY;
	j.frames += rec.depth;
}

// Captures before and after at one call site, so that whatever is remembered
// of the first can mislead the second.
[[gnu::noinline]] void
go_astray(void *arg)
{
	auto &j = *static_cast<journey *>(arg);
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	auto *const outer = static_cast<std::uintptr_t *>(
	    __builtin_dwarf_cfa());
	std::uintptr_t *const end = outer + words_spoiled;
	must(static_cast<void *>(end) < arg, "what is spoiled is under()'s");
	j.bad.set_stack(reinterpret_cast<std::uintptr_t>(frame) - 4096,
	    reinterpret_cast<std::uintptr_t>(end) + 4096);
	const spoiled own(frame, frame + 2), others(outer, end);
	for (bool astray : {false, true}) {
		if (astray)
			spoil(j.bad, {frame, outer, end});
		OUR_FRAMES(seen, rec);
		must_be_sound(j, astray);
		j.whole = astray ? j.whole : rec.depth;
	}
	tally(j);
}

void
lead_astray(std::uint64_t seed)
{
	lures bad(seed);
	journey j{bad};
	for (int i = 0; i < variants; i++) {
		if (i % 32 == 0)
			bad.change_ghost();
		under(40, go_astray, &j);
	}
	tell("%d variants, %lu frames: %d complete, %d cut, %d stopped",
	    variants, j.frames, j.complete, j.cut, j.stopped);
	must(j.complete + j.cut + j.stopped == variants, "each ended somehow");
}

// A ring of two frames: nothing else is ever reached.
void
ring(void *)
{
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	std::uintptr_t *const third = frame_at(frame, 3);
	const spoiled kept(third, third + 1);
	*third = reinterpret_cast<std::uintptr_t>(frame_at(frame, 2));
	OUR_FRAMES(seen, rec);
	must(rec.error == 0 && rec.depth >= 3, "what is before it is found");
	must(rec.why == STACK9_WHY_UNWIND || rec.why == STACK9_WHY_TRUNCATED,
	    "a ring is not told as complete");
}

// A page of the stack, far enough out, is taken away.
void
hole(void *)
{
	static std::uintptr_t pcs[32768];
	const auto here = reinterpret_cast<std::uintptr_t>(
	    __builtin_frame_address(0));
	void *const gone = reinterpret_cast<void *>((here / page + 2) * page);
	for (int rights : {PROT_READ | PROT_WRITE, PROT_NONE}) {
		must(mprotect(gone, page, rights) == 0, "the page changes");
		rec = {};
		rec.pcs = pcs;
		rec.max = sizeof pcs / sizeof *pcs;
		must(own::save_self(&rec) == 0 && rec.depth > 0,
		    "the rest is captured");
		must(rec.why == (rights == PROT_NONE ? STACK9_WHY_MEMORY :
		    STACK9_WHY_NONE), "where it ends is told");
	}
	mprotect(gone, page, PROT_READ | PROT_WRITE);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_spoiled_stack_of_the_first_thread_is_survived,
    *description("STACK9_WHY_UNWIND, STACK9_WHY_REGISTERS or "
    "STACK9_WHY_MEMORY if the walk stopped at the last frame"))
{
	BOOST_TEST(in_child([] { lead_astray(1); }) == "");
}

BOOST_AUTO_TEST_CASE(a_spoiled_stack_of_another_thread_is_survived)
{
	BOOST_TEST(in_child([] {
		std::thread([] { lead_astray(2); }).join();
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_spoiled_stack_of_a_coroutine_is_survived)
{
	BOOST_TEST(in_child([] {
		fiber f(fiber::memory(32768), [] { lead_astray(3); });
		f.resume();
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_ring_of_frames_is_walked_once_or_cut)
{
	BOOST_TEST(in_child([] { under_by_fp(10, ring, nullptr); }, 20) == "");
}

BOOST_AUTO_TEST_CASE(a_hole_in_the_stack_ends_the_walk)
{
	BOOST_TEST(in_child([] {
		// At least 48 bytes each, and thus four pages.
		const auto depth = static_cast<unsigned int>(page / 12);
		fiber f(fiber::memory(16 * page), [depth] {
			under(depth, hole, nullptr);
		});
		f.resume();
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
