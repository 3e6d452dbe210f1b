// Tests captures in the handler of a crash by a wild stack pointer: the handler
// runs on an alternate stack, the interrupted sp points nowhere.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csetjmp>
#include <string>
#include <thread>

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

// Without sp there is no caller, and without fp nothing to guess it from.
#if defined(__x86_64__)
#define	LOSE_SP		"mov %rdi, %rsp; xor %ebp, %ebp"
#define	FAULT		"ud2"
#elif defined(__aarch64__)
#define	LOSE_SP		"mov sp, x0; mov x29, 0; mov x30, 1"
#define	FAULT		".inst 0"
#endif
asm(R"(
	.pushsection .text
	.globl	lose_sp
lose_sp:
	.cfi_startproc
	)" LOSE_SP R"(
	.globl	lost_sp
lost_sp:
	)" FAULT R"(
	.cfi_endproc
	.popsection
)");
extern "C" [[noreturn]] void lose_sp(std::uintptr_t);
extern "C" const char lost_sp[];

BOOST_AUTO_TEST_SUITE(lost_stack_pointer)

namespace {

sigjmp_buf before;
frames found;
stack9::stack_record rec;

void
capture_and_leave(int)
{
	for (int i = 0; i < 2; i++) {
		OUR_FRAMES(found, rec);
		must(rec.error == 0, "the handler has captured");
	}
	siglongjmp(before, 1);
}

void
handle_on_another_stack()
{
	static char memory[65536];
	const stack_t ss{memory, 0, sizeof memory};
	must(sigaltstack(&ss, nullptr) == 0, "the stack is accepted");
	struct sigaction act{};
	act.sa_handler = capture_and_leave;
	act.sa_flags = SA_ONSTACK;
	// A fault of a capture itself is not to be handled.
	must(sigaction(SIGILL, &act, nullptr) == 0, "a handler is installed");
}

// The handler, its trampoline, and where it was lost.
void
must_end_there()
{
	std::uintptr_t *const end = found.pcs + found.depth;
	std::uintptr_t *const at = std::find(found.pcs, end,
	    reinterpret_cast<std::uintptr_t>(lost_sp));
	if (at == end)
		broken("%u frames, none of them where sp was lost",
		    found.depth);
	if (end - at > 2 || rec.why == STACK9_WHY_NONE ||
	    rec.reason == nullptr)
		broken("%td frames behind lost sp, why %d, %s", end - at - 1,
		    rec.why, rec.reason == nullptr ? "-" : rec.reason);
}

// before_it: captures have found where the stack is; otherwise this is the
// first.
[[gnu::noinline]] void
lose(std::uintptr_t sp, bool before_it)
{
	if (before_it)
		must_agree("before");
	if (sigsetjmp(before, 1) == 0)
		lose_sp(sp);
	must_end_there();
	must_agree("afterwards");
}

// An sp that the kernel would let a stack grow to is not lost.
void
limit_stack()
{
	rlimit limit{};
	getrlimit(RLIMIT_STACK, &limit);
	limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8 << 20);
	setrlimit(RLIMIT_STACK, &limit);
}

// As lose(), from a first capture on, by the first thread or another.
std::string
lost(std::uintptr_t sp)
{
	std::string all;
	for (int variant = 0; variant < 4; variant++)
		all += in_child([&] {
			limit_stack();
			const auto body = [&] {
				handle_on_another_stack();
				lose(sp, variant % 2 != 0);
			};
			if (variant / 2 == 0)
				body();
			else
				std::thread(body).join();
		});
	return all;
}

// A readable page with none on either side, of words that are not pcs.
std::uintptr_t
lonely_page(std::uintptr_t at = 0)
{
	void *const pages = mmap(reinterpret_cast<void *>(at), 3 * page,
	    PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(pages != MAP_FAILED, "there are pages");
	char *const p = static_cast<char *>(pages) + page;
	mprotect(p, page, PROT_READ | PROT_WRITE);
	std::fill_n(reinterpret_cast<std::uintptr_t *>(p),
	    page / sizeof(std::uintptr_t), 1);
	return reinterpret_cast<std::uintptr_t>(p);
}

// On or below the stack that a thread runs on, as far as is said.
std::uintptr_t
from_here(std::ptrdiff_t bytes)
{
	return (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) &
	    ~std::uintptr_t{15}) + static_cast<std::uintptr_t>(bytes);
}

} // namespace

BOOST_AUTO_TEST_CASE(an_sp_where_nothing_is_mapped_ends_the_walk, *description(
    "UNWIND or REGISTERS if the walk stopped at the last pc"))
{
	BOOST_TEST(lost(0x123450) == "");
	BOOST_TEST(lost(0) == "");
	BOOST_TEST(lost(16) == "");
	BOOST_TEST(lost(~std::uintptr_t{15}) == "");
	BOOST_TEST(lost(std::uintptr_t{1} << 63) == "");
	BOOST_TEST(lost(0x700000000000) == "");
}

#ifdef __x86_64__	// aarch64 could not start a handler
BOOST_AUTO_TEST_CASE(an_unaligned_sp_ends_the_walk)
{
	BOOST_TEST(lost(1) == "");
	BOOST_TEST(lost(lonely_page() + 0x801) == "");
	BOOST_TEST(lost(lonely_page() + page - 4) == "");
}
#endif

BOOST_AUTO_TEST_CASE(an_sp_at_a_pages_end_or_beginning_ends_the_walk)
{
	const std::uintptr_t p = lonely_page();
	BOOST_TEST(lost(p - page + 0x800) == "");
	BOOST_TEST(lost(p) == "");
	BOOST_TEST(lost(p + page - 16) == "");
	BOOST_TEST(lost(p + page) == "");
}

BOOST_AUTO_TEST_CASE(an_sp_far_below_the_stack_ends_the_walk)
{
	for (int mib : {9, 32, 63, 65, 127})
		BOOST_TEST(lost(from_here(-mib * (1 << 20) - 0x800)) == "");
}

// The memory between the page and the stack is part of neither.
BOOST_AUTO_TEST_CASE(a_page_below_the_stack_is_no_part_of_it)
{
	const std::uintptr_t stack = from_here(0) & ~(page - 1);
	BOOST_TEST(in_child([&] {
		limit_stack();
		handle_on_another_stack();
		const std::uintptr_t p = lonely_page(stack - (40 << 20));
		must(p < stack && stack - p <= 40 << 20,
		    "it is where it was asked for");
		for (int i = 0; i < 2; i++) {
			lose(p + 0x800, i != 0);
			lose(p + (20 << 20), true);
		}
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
