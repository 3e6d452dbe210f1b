// Validates samples of user sides, of made-up threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>

#include "core/seam/record.h"
#include "bpf/validate_user.h"

using namespace stack9;
using namespace stack9::bpf;

BOOST_AUTO_TEST_SUITE(judging_user_sides)

namespace {

constexpr std::uint64_t sp = 0x7f0000001080;

// One sample, and the record and copy that come of it.
struct user_sample {
	s9_record	who{};
	s9_user		user{};
	char		stack[256]{};
	stack9::stack_record	rec{}, kernel{};
	std::uintptr_t	pcs[8];
	user_copy	copy;
	stack9::lead	lead;

	user_sample()
	{
		who.host_tid = who.tid = 7;
		who.pid = 7;
		who.start_ns = 5'000'000'000;
		who.switches = who.switches_after = 42;
		who.state = 1;
		user.from = sp - 128;
		user.bytes = sizeof stack;
		kernel.pcs = pcs;
		kernel.max = 8;
	}
	int
	validate(std::uint64_t start = 0)
	{
		return validate_user({who, user, stack}, {7, 7, start}, rec,
		    copy, lead);
	}
	int
	join(const s9_record &k, int error)
	{
		sides s{&kernel, rec, copy};
		return join_kernel(k, who, error, {7, 7, 0}, s);
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(one_that_stands_still_is_copied,
    *boost::unit_test::description("0: the copy, and what it is of"))
{
	user_sample l;
	l.user.flags = S9_USER_MORE;
	std::memset(l.stack, 'x', sizeof l.stack);
	BOOST_TEST(l.validate() == 0);
	BOOST_TEST(l.copy.stack.at == sp - 128);
	BOOST_TEST(l.copy.stack.bytes.size() == sizeof l.stack);
	BOOST_TEST(static_cast<char>(l.copy.stack.bytes.data()[255]) == 'x');
	BOOST_TEST(l.copy.stack.more);
	BOOST_TEST(l.copy.mark == 42u);
	BOOST_TEST(l.rec.thread.tid == 7);
	BOOST_TEST(l.rec.state == 'S');
}

BOOST_AUTO_TEST_CASE(one_that_runs_is_not, *boost::unit_test::description(
    "EAGAIN: on a CPU, with the lead to it; or ran meanwhile"))
{
	user_sample on_cpu;
	on_cpu.who.on_cpu = 1;
	on_cpu.who.cpu = 3;
	BOOST_TEST(on_cpu.validate() == EAGAIN);
	BOOST_TEST(on_cpu.rec.why == STACK9_WHY_ON_CPU);
	BOOST_TEST(on_cpu.lead.cpu == 3);
	BOOST_TEST(on_cpu.lead.host_tid == 7);
	BOOST_TEST(on_cpu.lead.start_ns == 5'000'000'000u);
	user_sample woke;
	woke.who.on_cpu_after = 1;
	user_sample ran;
	ran.who.switches_after++;
	for (user_sample *l : {&woke, &ran}) {
		BOOST_TEST(l->validate() == EAGAIN);
		BOOST_TEST(l->rec.why == STACK9_WHY_TORN);
		BOOST_TEST(l->copy.known == 0u);
	}
}

BOOST_AUTO_TEST_CASE(one_without_a_user_side_says_why,
    *boost::unit_test::description("a kernel thread; exiting; late; no memory"))
{
	constexpr std::uint32_t pf_exiting = 0x4, pf_kthread = 0x200000,
	    pf_io_worker = 0x10;
	user_sample kernel;
	kernel.who.task_flags = pf_kthread;
	kernel.who.on_cpu = 1;
	BOOST_TEST(kernel.validate() == EOPNOTSUPP);
	BOOST_TEST(kernel.rec.why == STACK9_WHY_KTHREAD);
	user_sample worker;
	worker.user.flags = S9_USER_NONE;
	worker.who.task_flags = pf_io_worker;
	BOOST_TEST(worker.validate() == EOPNOTSUPP);
	BOOST_TEST(worker.rec.why == STACK9_WHY_KTHREAD);
	user_sample exiting;
	exiting.user.flags = S9_USER_NONE;
	exiting.who.task_flags = pf_exiting;
	BOOST_TEST(exiting.validate() == ESRCH);
	BOOST_TEST(exiting.rec.why == STACK9_WHY_EXITING);
	user_sample begins;	// to exit, between two readings
	begins.user.flags = S9_USER_NONE;
	BOOST_TEST(begins.validate() == ESRCH);
	BOOST_TEST(begins.rec.why == STACK9_WHY_EXITING);
	user_sample busy;
	busy.user.flags = S9_USER_BUSY;
	BOOST_TEST(busy.validate() == EAGAIN);
	BOOST_TEST(busy.rec.why == STACK9_WHY_LATE);
	BOOST_TEST(busy.rec.reason != nullptr);
	user_sample wild;
	wild.user.bytes = 0;
	BOOST_TEST(wild.validate() == EAGAIN);
	BOOST_TEST(wild.rec.why == STACK9_WHY_MEMORY);
	user_sample earlier;
	BOOST_TEST(earlier.validate(1) == ESRCH);
	BOOST_TEST(earlier.rec.why == STACK9_WHY_REUSED);
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(registers_go_by_their_dwarf_numbers,
    *boost::unit_test::description("x86-64 has 0 to 16, 16 being rip"))
{
	constexpr std::size_t orig_ax = 15, cs = 17;
	// The places of rax, rdx, rcx, ... rip in struct pt_regs.
	constexpr std::size_t native[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7,
	    6, 3, 2, 1, 0, 16};
	constexpr std::size_t ia32[] = {10, 11, 12, 5, 19, 4, 13, 14, 16};
	user_sample l;
	for (std::uint64_t i = 0; i < S9_REGS; i++)
		l.user.regs[i] = 0xabc00000100 + i;
	l.user.regs[cs] = 0x33;
	l.user.regs[orig_ax] = ~0ull;
	BOOST_TEST(l.validate() == 0);
	BOOST_TEST(l.copy.known == 0x1ffffu);
	for (std::size_t i = 0; i < std::size(native); i++)
		BOOST_TEST(l.copy.value[i] == 0xabc00000100 + native[i]);
	l.user.regs[orig_ax] = 0;	// read(2) keeps rcx and r11 for itself
	l.copy.clear();
	BOOST_TEST(l.validate() == 0);
	BOOST_TEST(l.copy.known == (0x1ffffu & ~(1u << 2 | 1u << 11)));
	l.user.regs[cs] = 0x23;
	l.copy.clear();
	BOOST_TEST(l.validate() == 0);
	BOOST_TEST((l.copy.what == user_copy::machine::ia32));
	BOOST_TEST(l.copy.known == 0x1ffu);
	for (std::size_t i = 0; i < std::size(ia32); i++)
		BOOST_TEST(l.copy.value[i] == 0x100 + ia32[i]);
}
#endif

BOOST_AUTO_TEST_CASE(a_kernel_side_of_another_moment_spoils_both,
    *boost::unit_test::description("of the same moment"))
{
	user_sample l;
	BOOST_TEST(l.validate() == 0);
	s9_record same = l.who;
	same.bytes = 8;
	same.pcs[0] = 0xffffffff81000001;
	BOOST_TEST(l.join(same, 0) == 0);
	BOOST_TEST(l.kernel.error == 0);
	BOOST_TEST(l.kernel.depth == 1u);
	s9_record later = same, running = same, stranger = same;
	later.switches = later.switches_after = 44;
	running.on_cpu_after = 1;
	stranger.start_ns++;
	for (const s9_record &k : {later, running, stranger}) {
		user_sample other;
		BOOST_TEST(other.validate() == 0);
		BOOST_TEST(other.join(k, 0) == EAGAIN);
		BOOST_TEST(other.rec.why == STACK9_WHY_TORN);
		BOOST_TEST(other.kernel.error == EAGAIN);
		BOOST_TEST(other.kernel.why == STACK9_WHY_TORN);
		BOOST_TEST(other.copy.known == 0u);
		BOOST_TEST(other.copy.stack.bytes.size() == 0u);
	}
}

BOOST_AUTO_TEST_SUITE_END()
