// Code without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "robust_code.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <vector>

#include <sys/mman.h>

#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

namespace {

using bytes = std::vector<unsigned char>;

// All take fn and arg, and call fn(arg).
struct machine_code {
	bytes	text;
	int	call_end;	// where the call's return address is
};

#ifdef __x86_64__
bytes
load_fp(std::uintptr_t value)
{
	bytes b{0x48, 0xbd};			// mov $value,%rbp
	b.resize(10);
	std::memcpy(&b[2], &value, sizeof value);
	return b;
}

machine_code
assemble(made_code::kind k, std::uintptr_t value)
{
	bytes text{0x55};			// push %rbp
	if (k == made_code::with_frame_pointer)
		text.insert(text.end(),
		    {0x48, 0x89, 0xe5});	// mov %rsp,%rbp
	else if (k == made_code::with_another_use)
		for (unsigned char c : load_fp(value))
			text.push_back(c);
	text.insert(text.end(), {
		0x48, 0x89, 0xf8,		// mov %rdi,%rax
		0x48, 0x89, 0xf7,		// mov %rsi,%rdi
		0xff, 0xd0});			// call *%rax
	const int call_end = static_cast<int>(text.size());
	text.insert(text.end(), {0x5d, 0xc3});	// pop %rbp; ret
	return {text, call_end};
}
#else
machine_code
assemble(made_code::kind k, std::uintptr_t value)
{
	// stp x29,x30,[sp,-16]!
	std::vector<std::uint32_t> text{0xa9bf7bfd};
	if (k == made_code::with_frame_pointer)
		text.push_back(0x910003fd);		// mov x29,sp
	for (unsigned int i = 0; k == made_code::with_another_use && i < 4; i++)
		text.push_back((i == 0 ? 0xd280001du : 0xf280001du) | i << 21 |
		    static_cast<std::uint32_t>(value >> 16 * i & 0xffff) << 5);
	text.insert(text.end(), {
		0xaa0003e2,			// mov x2,x0
		0xaa0103e0,			// mov x0,x1
		0xd63f0040});			// blr x2
	const int call_end = static_cast<int>(text.size() * 4);
	text.insert(text.end(), {
		0xa8c17bfd,			// ldp x29,x30,[sp],16
		0xd65f03c0});			// ret
	bytes b(text.size() * 4);
	std::memcpy(b.data(), text.data(), b.size());
	return {b, call_end};
}
#endif

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

// What is known of the way to capture() without any unwinding: the frames from
// here outwards, and where the code is.
[[gnu::noinline]] void
pass(const made_code &code, passage &seen, frames &outer)
{
	TRUE_FRAMES(outer);
	code.call(capture, &seen);
	must(seen.rec.error == 0 && seen.ours.depth >= 2,
	    "made code is captured from");
	must(seen.ours.pcs[1] == code.return_address(),
	    "the second frame is the made code's");
}

// Every frame of ours behind the made code is, in order, one of theirs.
void
must_be_among(const frames &ours, const frames &theirs)
{
	std::uint32_t at = 0;
	for (std::uint32_t i = 2; i < ours.depth; i++) {
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
	frames outer;
	pass(made_code(made_code::with_another_use, 0, fp), seen, outer);
	if (seen.ours.depth != 2 || seen.rec.why != STACK9_WHY_UNWIND)
		broken("with %lx in fp: %u frames, third %lx, why %d", fp,
		    seen.ours.depth, seen.ours.pcs[2], seen.rec.why);
	must(seen.rec.reason != nullptr, "a reason is given");
	must(seen.rec.dropped == 0, "nothing is counted that was not seen");
}

void
pass_by_frame_pointer()
{
	const made_code code(made_code::with_frame_pointer);
	for (int i = 0; i < 3; i++)
		must_pass(code);
}

// Made code calls what calls made code.
struct nest {
	const made_code	*code;
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
	const made_code code(made_code::with_frame_pointer);
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
	must_equal("behind nested made code", ours, 5, outer, 1);
}

void
stop_at_other_uses()
{
	static const char words[64] = "no frame is here, nor any code to speak "
	    "of, but readable words";
	alignas(16) char on_stack[64];
	std::memcpy(on_stack, words, sizeof words);
	const auto here = reinterpret_cast<std::uintptr_t>(on_stack);
	void *hidden = mmap(nullptr, 4096, PROT_NONE,
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

// That its caller's frame pointer is not its own cannot be known: a frame may
// be missing, none may be wrong.
void
never_invent()
{
	static passage seen;
	frames outer;
	pass(made_code(made_code::frameless), seen, outer);
	must_be_among(seen.ours, outer);
	must(seen.rec.why == STACK9_WHY_UNWIND ||
	    (seen.rec.flags & STACK9_STACK_GUESSED) != 0,
	    "that a frame pointer was trusted is told");
}

} // namespace

made_code::made_code(kind k, std::uintptr_t at, std::uintptr_t value)
{
	constexpr std::uintptr_t page = 4096;
	const machine_code code = assemble(k, value);
	const auto before = static_cast<std::uintptr_t>(code.call_end);
	const std::uintptr_t want = at == 0 ? 0 : at - before;
	const std::uintptr_t into = want % page;
	size_ = (into + code.text.size() + page - 1) / page * page;
	pages_ = mmap(reinterpret_cast<void *>(want - into), size_,
	    PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS |
	    (at != 0 ? MAP_FIXED_NOREPLACE : 0), -1, 0);
	must(pages_ != MAP_FAILED, "there is room for made code");
	char *const start = static_cast<char *>(pages_) + into;
	std::memcpy(start, code.text.data(), code.text.size());
	__builtin___clear_cache(start, start + code.text.size());
	at_ = reinterpret_cast<std::uintptr_t>(start) + before;
	entry_ = reinterpret_cast<decltype(entry_)>(start);
}

made_code::~made_code()
{
	munmap(pages_, size_);
}

void
must_pass(const made_code &code)
{
	passage seen;
	frames outer;
	pass(code, seen, outer);
	if (seen.ours.depth < 3)
		broken("made code is not passed: %s", seen.rec.reason);
	must(near(seen.ours.pcs[2], outer.pcs[0]), "its caller is behind it");
	must_equal("behind made code", seen.ours, 3, outer, 1);
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
	BOOST_TEST(in_child(never_invent) == "");
}

BOOST_AUTO_TEST_SUITE_END()
