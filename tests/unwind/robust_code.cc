// Tests captures through code without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "robust_code.h"

#include <boost/test/unit_test.hpp>

#include <cstring>

#include <sys/mman.h>

#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

namespace {

struct passage {
	frames		ours;
	stack9::stack_record	rec;
};

[[gnu::noinline]] void
capture(void *p)
{
	auto &to = *static_cast<passage *>(p);
	OUR_FRAMES(to.ours, to.rec);
}

using call_fn = void (*)(const jit_code &, void (*)(void *), void *);

// Says what is known of the way to capture() without any unwinding: the
// frames from here outwards, and where the code is.
[[gnu::noinline]] void
pass(const jit_code &code, passage &seen, frames &outer,
    call_fn between = nullptr)
{
	TRUE_FRAMES(outer);
	if (between != nullptr)
		between(code, capture, &seen);
	else
		code.call(capture, &seen);
	must(seen.rec.error == 0 && seen.ours.depth >= 2,
	    "JIT code is captured from");
	must(seen.ours.pcs[1] == code.return_address(),
	    "the second frame is the JIT code's");
}

// Requires that theirs has each frame of ours after the JIT code, in the same
// order.  The first of ours may be between's instead.
void
must_be_among(const frames &ours, const frames &theirs, call_fn between)
{
	std::uint32_t at = 0;
	for (std::uint32_t i = 2; i < ours.depth; i++) {
		if (i == 2 && between != nullptr && near(ours.pcs[i],
		    reinterpret_cast<std::uintptr_t>(between)))
			continue;
		while (at < theirs.depth && (at == 0 ?
		    !near(ours.pcs[i], theirs.pcs[0]) :
		    ours.pcs[i] != theirs.pcs[at]))
			at++;
		if (at++ == theirs.depth)
			broken("frame %u, %lx, is none", i, ours.pcs[i]);
	}
}

void
must_stop(std::uintptr_t fp)
{
	static passage seen;
	static frames outer;	// what was on the stack before is not a frame's
	pass(jit_code(jit_code::with_another_use, 0, fp), seen, outer);
	if (seen.ours.depth != 2 || seen.rec.why != STACK9_WHY_UNWIND)
		broken("with %lx in fp: %u frames, third %lx, why %d", fp,
		    seen.ours.depth, seen.ours.pcs[2], seen.rec.why);
	must(seen.rec.reason != nullptr, "a reason is given");
	must(seen.rec.dropped == 0, "nothing is counted that was not seen");
}

void
pass_by_frame_pointer()
{
	const jit_code code(jit_code::with_frame_pointer);
	for (int i = 0; i < 3; i++)
		must_pass(code);
}

// JIT code calls what calls JIT code.
struct nest {
	const jit_code	*code;
	passage		 seen;
};

[[gnu::noinline]] void
call_again(void *arg)
{
	nest &n = *static_cast<nest *>(arg);
	n.code->call(capture, &n.seen);
	keep(nullptr);
}

void
pass_nested()
{
	static nest n;
	const jit_code code(jit_code::with_frame_pointer);
	n.code = &code;
	frames outer;
	TRUE_FRAMES(outer);
	code.call(call_again, &n);
	const frames &ours = n.seen.ours;
	if (ours.depth < 5 || ours.pcs[1] != code.return_address() ||
	    ours.pcs[3] != code.return_address() ||
	    !near(ours.pcs[4], outer.pcs[0]))
		broken("not both are passed: %u frames, %s", ours.depth,
		    n.seen.rec.reason);
	must_equal("behind nested JIT code", ours, 5, outer, 1);
}

void
stop_at_other_uses()
{
	static const char words[64] = "no frame is here, nor any code to speak "
	    "of, but readable words";
	alignas(16) char on_stack[64];
	std::memcpy(on_stack, words, sizeof words);
	const auto here = reinterpret_cast<std::uintptr_t>(on_stack);
	void *hidden = mmap(nullptr, page, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (std::uintptr_t fp : {std::uintptr_t{1}, std::uintptr_t{8},
	    std::uintptr_t{0x1000}, here, here + 1, here + 4, here - 1024,
	    reinterpret_cast<std::uintptr_t>(words),
	    reinterpret_cast<std::uintptr_t>(&stop_at_other_uses),
	    reinterpret_cast<std::uintptr_t>(hidden),
	    std::uintptr_t{1} << 63, ~std::uintptr_t{0}, ~std::uintptr_t{7},
	    ~std::uintptr_t{15}, std::uintptr_t{0x7ffffffffff8},
	    std::uintptr_t{0xffffffffff600000}})
		must_stop(fp);
}

// It cannot be known that its caller's frame pointer is not its own: a frame
// may be missing, none may be wrong.
void
never_invent(jit_code::kind k, call_fn between)
{
	static passage seen;
	frames outer;
	pass(jit_code(k), seen, outer, between);
	must_be_among(seen.ours, outer, between);
	must(seen.rec.why == STACK9_WHY_UNWIND ||
	    (seen.rec.flags & STACK9_STACK_GUESSED) != 0,
	    "that a frame pointer was trusted is told");
}

#ifdef __x86_64__
// No frame pointer is needed, and none is trusted.
void
pass_straight()
{
	passage seen;
	frames outer;
	for (const std::uintptr_t value : {std::uintptr_t{0},
	    std::uintptr_t{1}}) {
		pass(jit_code(jit_code::straight, 0, value), seen, outer);
		if (seen.ours.depth < 3)
			broken("JIT code is not passed: %s", seen.rec.reason);
		must(near(seen.ours.pcs[2], outer.pcs[0]),
		    "its caller is behind it");
		must_equal("behind JIT code", seen.ours, 3, outer, 1);
		must(seen.rec.why == STACK9_WHY_NONE &&
		    (seen.rec.flags & STACK9_STACK_GUESSED) == 0,
		    "the stack is complete without a guess");
	}
}
#endif

} // namespace

void
must_pass(const jit_code &code)
{
	passage seen;
	frames outer;
	pass(code, seen, outer);
	if (seen.ours.depth < 3)
		broken("JIT code is not passed: %s", seen.rec.reason);
	must(near(seen.ours.pcs[2], outer.pcs[0]), "its caller is behind it");
	must_equal("behind JIT code", seen.ours, 3, outer, 1);
	must((seen.rec.flags & STACK9_STACK_GUESSED) != 0,
	    "that a frame pointer was trusted is told");
	must(seen.rec.why == STACK9_WHY_NONE, "the stack is complete");
}

BOOST_AUTO_TEST_SUITE(code)

BOOST_AUTO_TEST_CASE(made_code_with_a_frame_pointer_is_passed, *description(
    "STACK9_STACK_GUESSED if a frame without unwind information was passed by "
    "its frame pointer"))
{
	BOOST_TEST(in_child(pass_by_frame_pointer) == "");
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(made_code_that_only_returns_is_left_by_that)
{
	BOOST_TEST(in_child(pass_straight) == "");
}
#endif

BOOST_AUTO_TEST_CASE(made_code_is_passed_as_often_as_it_comes)
{
	BOOST_TEST(in_child(pass_nested) == "");
}

BOOST_AUTO_TEST_CASE(no_flag_is_set_where_no_frame_pointer_was_trusted)
{
	BOOST_TEST(in_child([] {
		passage seen;
		capture(&seen);
		must((seen.rec.flags & STACK9_STACK_GUESSED) == 0, "no flag");
	}) == "");
}

BOOST_AUTO_TEST_CASE(a_frame_pointer_register_of_other_use_is_not_followed,
    *description("otherwise the stack ends there with STACK9_WHY_UNWIND"))
{
	BOOST_TEST(in_child(stop_at_other_uses) == "");
}

BOOST_AUTO_TEST_CASE(no_frame_is_invented_behind_code_without_one, *description(
    "then the caller is skipped, and the stack goes on with the caller's "
    "caller"))
{
	BOOST_TEST(in_child([] {
		never_invent(jit_code::frameless, nullptr);
	}) == "");
}

BOOST_AUTO_TEST_CASE(no_frame_is_invented_behind_a_caller_without_frame_pointer)
{
	for (const auto k : {jit_code::frameless,
	    jit_code::with_frame_pointer})
		BOOST_TEST(in_child([k] {
			never_invent(k, call_without_frame_pointer);
		}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
