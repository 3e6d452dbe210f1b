// Tests which frames are the thread's own, and whether they are all of them:
// with made-up stacks and names, those of other CPUs too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "core/seam/record.h"
#include "bpf/validate.h"
#include "bpf/validate_running.h"
#include "core/seam/names.h"

namespace {

using stack9::bpf::sample_origin;

constexpr std::uintptr_t text = 0xffffffff81000000, size = 0x100;
std::vector<std::string> functions;
bool hidden = false;

std::uintptr_t
address_of(const std::string &name)
{
	const auto at = std::find(functions.begin(), functions.end(), name);
	const auto i = at - functions.begin();
	if (at == functions.end())
		functions.push_back(name);
	return text + static_cast<std::uintptr_t>(i) * size + 1;
}

// A sample of a stack of these functions, innermost first.
s9_record
seen(const std::vector<std::string> &stack)
{
	s9_record r{};
	for (const std::string &name : stack)
		r.pcs[r.bytes++] = address_of(name);
	r.bytes *= 8;
	return r;
}

struct validated {
	uintptr_t	pcs[S9_FRAMES];
	stack9::stack_record	rec{};
	int		error;

	explicit validated(const s9_record &r,
	    sample_origin origin = sample_origin::in_interrupt)
	{
		make_room();
		error = stack9::bpf::validate_running(r, origin, {}, rec);
	}
	static validated
	asleep(const s9_record &r)
	{
		validated j;
		stack9::lead l;
		j.error = stack9::bpf::validate_sleeper(r, {}, j.rec, l);
		return j;
	}

private:
	validated() { make_room(); }
	void
	make_room()
	{
		rec.pcs = pcs;
		rec.max = S9_FRAMES;
	}
};

std::vector<std::string>
deep()
{
	std::ifstream f("/proc/sys/kernel/perf_event_max_stack");
	unsigned int frames = 127;
	f >> frames;
	return std::vector<std::string>(frames, "function");
}

} // namespace

// In place of the kernel's names.
int
stack9::find_name(std::uintptr_t pc, unsigned int flags,
    stack9::symbol_name &sym) noexcept
{
	const std::size_t i = (pc - text -
	    ((flags & stack9::name_return_address) != 0)) / size;
	if (hidden)
		return EPERM;
	if (i >= functions.size())
		return ENOENT;
	sym.name[functions[i].copy(sym.name, stack9::name_max - 1)] = '\0';
	sym.offset = pc - text - i * size;
	return 0;
}

// In place of /proc: when the thread began, in its ticks; 0: there is none.
static std::uint64_t began = 0;

extern "C" int
stack9_thread_find(pid_t tid, stack9_thread *td)
{
	if (began == 0)
		return ESRCH;
	*td = {tid, tid, began};
	return 0;
}

BOOST_AUTO_TEST_SUITE(judging)

BOOST_AUTO_TEST_CASE(frames_below_the_interrupt_are_the_threads,
    *boost::unit_test::description(
    "frames below the interrupt's entry are its kernel stack"))
{
	for (const auto &entry : {
	    std::vector<std::string>{"asm_sysvec_call_function_single"},
	    {"el1_interrupt", "el1h_64_irq_handler", "el1h_64_irq"},
	    {"el1_irq"}}) {
		std::vector<std::string> all{"bpf_prog_ipi", "handle_ipi"};
		all.insert(all.end(), entry.begin(), entry.end());
		all.insert(all.end(), {"vfs_read", entry.size() == 1 ?
		    "entry_SYSCALL_64_after_hwframe" : "el0t_64_sync"});
		const validated j(seen(all));
		BOOST_TEST(j.error == 0);
		BOOST_TEST(j.rec.why == STACK9_WHY_NONE);
		BOOST_TEST(j.rec.depth == 2u);
		BOOST_TEST(j.pcs[0] == address_of("vfs_read"));
	}
}

BOOST_AUTO_TEST_CASE(interrupts_over_user_mode_are_nobodys,
    *boost::unit_test::description(
    "EAGAIN is returned for a thread running in user mode"))
{
	for (const auto &stack : {
	    std::vector<std::string>{"handle_ipi",
		"asm_sysvec_call_function_single"},
	    {"handle_ipi", "asm_sysvec_call_function_single",
		"handle_softirqs", "asm_sysvec_apic_timer_interrupt"},
	    {"handle_ipi", "asm_sysvec_call_function_single",
		"handle_softirqs", "asm_exc_xen_hypervisor_callback"},
	    {"handle_ipi", "el0_interrupt", "el0t_64_irq_handler",
		"el0t_64_irq"},
	    {"handle_ipi", "el1h_64_irq_handler", "el1h_64_irq",
		"handle_softirqs", "el0t_64_irq_handler", "el0t_64_irq"}}) {
		const validated j(seen(stack));
		BOOST_TEST(j.error == EAGAIN);
		BOOST_TEST(j.rec.why == STACK9_WHY_USER_MODE);
	}
	BOOST_TEST(validated(seen({}), sample_origin::at_pc).rec.why ==
	    STACK9_WHY_USER_MODE);
}

BOOST_AUTO_TEST_CASE(an_event_is_not_among_its_own_frames,
    *boost::unit_test::description(
    "kernel frames begin with the function that has the tracepoint"))
{
	const validated j(seen({"bpf_prog_68d6_at_tracepoint", "bpf_trace_run4",
	    "__traceiter_sched_switch", "__schedule", "schedule",
	    "entry_SYSCALL_64_after_hwframe"}), sample_origin::at_event);
	BOOST_TEST(j.error == 0);
	BOOST_TEST(j.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(j.rec.depth == 3u);
	BOOST_TEST(j.pcs[0] == address_of("__schedule"));
	BOOST_TEST((j.rec.flags & STACK9_STACK_EXACT) == 0u);
	const validated sampled(seen({"vfs_read",
	    "entry_SYSCALL_64_after_hwframe"}), sample_origin::at_event);
	BOOST_TEST(sampled.rec.depth == 2u);
	BOOST_TEST((sampled.rec.flags & STACK9_STACK_EXACT) != 0u);
	const validated interrupted(seen({"bpf_prog_1", "bpf_trace_run1",
	    "handle_softirqs", "asm_sysvec_apic_timer_interrupt"}),
	    sample_origin::at_event);
	BOOST_TEST(interrupted.error == 0);
	BOOST_TEST(interrupted.rec.depth == 2u);
}

BOOST_AUTO_TEST_CASE(no_room_behind_the_interrupt_is_not_user_mode,
    *boost::unit_test::description(
    "EOPNOTSUPP: kernel.perf_event_max_stack is too small"))
{
	auto stack = deep();
	BOOST_TEST(validated(seen(stack)).error == EOPNOTSUPP);
	stack.back() = "asm_sysvec_call_function_single";
	BOOST_TEST(validated(seen(stack)).error == EOPNOTSUPP);
	const validated strange(seen({"function"}));
	BOOST_TEST(strange.error == EAGAIN);
	BOOST_TEST(strange.rec.why == STACK9_WHY_REFUSED);
}

BOOST_AUTO_TEST_CASE(what_the_kernel_cut_is_reported,
    *boost::unit_test::description(
    "TRUNCATED: deeper than max, or than the sysctl"))
{
	auto stack = deep();
	BOOST_TEST(validated::asleep(seen(stack)).rec.why ==
	    STACK9_WHY_TRUNCATED);
	BOOST_TEST(validated(seen(stack), sample_origin::at_pc).rec.why ==
	    STACK9_WHY_TRUNCATED);
	// Cut just where an interrupt came in, over the kernel or not.
	stack.back() = "asm_sysvec_apic_timer_interrupt";
	const validated j = validated::asleep(seen(stack));
	BOOST_TEST(j.error == 0);
	BOOST_TEST(j.rec.why == STACK9_WHY_TRUNCATED);
}

BOOST_AUTO_TEST_CASE(hidden_names_are_no_proof,
    *boost::unit_test::description(
    "a stack counts as whole only if it ends at a known root"))
{
	const s9_record r = seen({"one", "two", "three"});
	hidden = true;
	const validated sleeper = validated::asleep(r);
	BOOST_TEST(sleeper.error == 0);
	BOOST_TEST(sleeper.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST(sleeper.rec.reason != nullptr);
	BOOST_TEST(validated(r).error == EPERM);
	BOOST_TEST(validated(r, sample_origin::at_pc).error == EPERM);
	hidden = false;
}

BOOST_AUTO_TEST_CASE(a_look_at_another_thread_is_not_taken,
    *boost::unit_test::description("0 of the wrong tid"))
{
	s9_record r = seen({"vfs_read", "entry_SYSCALL_64_after_hwframe"});
	r.tid = 7;
	const validated j = validated::asleep(r);	// asked for tid 0
	BOOST_TEST(j.error == EAGAIN);
	BOOST_TEST(j.rec.depth == 0u);
}

BOOST_AUTO_TEST_CASE(what_no_program_finds_is_gone_hidden_or_new,
    *boost::unit_test::description("EOPNOTSUPP never on this machine, "
    "EAGAIN ask again, ESRCH gone"))
{
	stack9::stack_record r{};
	BOOST_TEST(stack9::bpf::explain_missing_thread({7, 7, 0}, r) == ESRCH);
	BOOST_TEST(r.why == STACK9_WHY_GONE);
	began = 1;	// as the machine did
	BOOST_TEST(stack9::bpf::explain_missing_thread({7, 7, 0}, r) ==
	    EOPNOTSUPP);
	BOOST_TEST(stack9::bpf::explain_missing_thread({7, 7, 2}, r) == ESRCH);
	BOOST_TEST(r.why == STACK9_WHY_REUSED);
	timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	began = static_cast<std::uint64_t>(now.tv_sec + 1) *
	    static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
	BOOST_TEST(stack9::bpf::explain_missing_thread({7, 7, 0}, r) == EAGAIN);
	BOOST_TEST(r.why == STACK9_WHY_MOVED);
	began = 0;
}

BOOST_AUTO_TEST_CASE(a_thread_that_has_never_run_is_whole,
    *boost::unit_test::description("a thread that was just made and has not "
    "run yet has one frame, where it will begin"))
{
	for (const char *const birth : {"ret_from_fork_asm", "ret_from_fork"}) {
		address_of(std::string("before ") + birth);
		s9_record r = seen({birth});
		r.pcs[0]--;
		const validated j = validated::asleep(r);
		BOOST_TEST(j.error == 0);
		BOOST_TEST(j.rec.why == STACK9_WHY_NONE);
		BOOST_TEST(j.rec.depth == 1u);
		BOOST_TEST((j.rec.flags & STACK9_STACK_EXACT) != 0);
	}
	address_of("another one before");
	s9_record r = seen({"any other function"});
	r.pcs[0]--;
	const validated j = validated::asleep(r);
	BOOST_TEST(j.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST((j.rec.flags & STACK9_STACK_EXACT) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
