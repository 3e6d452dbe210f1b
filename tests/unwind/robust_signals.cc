// Tests captures in signal handlers: nested, and on alternate stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csetjmp>
#include <cstring>

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stack9/sys/stack.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(signals)

namespace {

void
handle(int signo, void (*handler)(int), int flags)
{
	struct sigaction act{};
	act.sa_handler = handler;
	act.sa_flags = flags;
	must(sigaction(signo, &act, nullptr) == 0, "a handler is installed");
}

// An alternate stack of this many bytes, painted, with nothing mapped below.
class small_stack {
public:
	explicit small_stack(std::size_t size) : size_(size)
	{
		pages_ = static_cast<char *>(mmap(nullptr, size + page,
		    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0));
		mprotect(pages_, page, PROT_NONE);
		std::memset(pages_ + page, paint, size);
		stack_t ss{};
		ss.ss_sp = pages_ + page;
		ss.ss_size = size;
		must(sigaltstack(&ss, nullptr) == 0, "the stack is accepted");
	}

	std::size_t
	used() const
	{
		std::size_t clean = 0;
		while (clean < size_ && pages_[page + clean] == paint)
			clean++;
		return size_ - clean;
	}

private:
	static constexpr char paint = 0x55;
	char		*pages_;
	std::size_t	 size_;
};

sigjmp_buf before_fault;
frames in_handler, at_fault;
stack9::stack_record in_handler_rec;
struct stack in_handler_kpi;

void
capture_and_leave(int)
{
	OUR_FRAMES(in_handler, in_handler_rec);
	stack_save(&in_handler_kpi);
	siglongjmp(before_fault, 1);
}

void
only_leave(int)
{
	siglongjmp(before_fault, 1);
}

// Once: a fault of its own, such as an overflow, is not to be handled.
constexpr int once = SA_RESETHAND | SA_NODEFER;

// Faults at a call depth.  Its frames outwards are those of the interrupted
// code, too.
[[gnu::noinline]] void
fault(void *)
{
	TRUE_FRAMES(at_fault);
	*static_cast<volatile int *>(nullptr) = 1;
}

void
fault_once(void (*handler)(int))
{
	handle(SIGSEGV, handler, once | SA_ONSTACK);
	if (sigsetjmp(before_fault, 1) == 0)
		under(5, fault, nullptr);
}

// In the handler, its trampoline, the faulting instruction, and what called it.
void
must_be_at_fault()
{
	must(in_handler_rec.error == 0 && in_handler.depth > 3,
	    "the handler has captured");
	must(near(in_handler.pcs[2], at_fault.pcs[0]),
	    "the third frame is where it was interrupted");
	must_equal("in a SIGSEGV handler", in_handler, 3, at_fault, 1);
	must(in_handler_kpi.depth == STACK_MAX ||
	    static_cast<std::uint32_t>(in_handler_kpi.depth) ==
	    in_handler.depth, "stack_save() finds as many");
}

void
fault_on_a_small_stack()
{
#ifdef __x86_64__
	constexpr std::size_t allowed = 8192;
#else
	const auto allowed =
	    static_cast<std::size_t>(sysconf(_SC_MINSIGSTKSZ)) + 4096;
#endif
	const small_stack stack(allowed);
	fault_once(only_leave);
	const std::size_t kernels = stack.used();
	fault_once(capture_and_leave);
	must_be_at_fault();
	fault_once(capture_and_leave);	// now warm
	must_be_at_fault();
	tell("%zu of %zu bytes used, %zu without a capture, the kernel's least "
	    "%lu", stack.used(), allowed, kernels, getauxval(AT_MINSIGSTKSZ));
	must(stack.used() <= allowed, "there is room");
}

void
agree(int)
{
	must_agree("in a handler");
}

void
nest(int signo)
{
	must_agree("in an outer handler");
	raise(signo == SIGUSR1 ? SIGUSR2 : SIGRTMIN);
	must_agree("in an outer handler, again");
}

void
nest_handlers(int inner_flags)
{
	static char memory[256 * 1024];
	const stack_t ss{memory, 0, sizeof memory};
	sigaltstack(&ss, nullptr);
	handle(SIGUSR1, nest, 0);
	handle(SIGUSR2, nest, inner_flags);
	handle(SIGRTMIN, agree, 0);
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
}

#ifdef __x86_64__
// first_faults() begins with an instruction that faults, right after code with
// another frame: to look up the address before it would give that frame's rule.
asm(R"(
	.pushsection .text
	.type	ends_below, @function
ends_below:
	.cfi_startproc
	sub	$0x100, %rsp
	.cfi_def_cfa_offset 0x108
	ud2
	.cfi_endproc
	.size	ends_below, . - ends_below
	.type	first_faults, @function
first_faults:
	.cfi_startproc
	movl	$1, (%rdi)
	ret
	.cfi_endproc
	.size	first_faults, . - first_faults
	.popsection
)");
extern "C" void first_faults(int *);

[[gnu::noinline]] void
call_first_faults(void *)
{
	TRUE_FRAMES(at_fault);
	first_faults(nullptr);
	keep(nullptr);
}

void
fault_at_the_first_instruction()
{
	handle(SIGSEGV, capture_and_leave, once);
	if (sigsetjmp(before_fault, 1) == 0)
		under(5, call_first_faults, nullptr);
	must(in_handler.depth > 4 && in_handler.pcs[2] ==
	    reinterpret_cast<std::uintptr_t>(&first_faults),
	    "the third frame is the first instruction");
	must(near(in_handler.pcs[3], at_fault.pcs[0]),
	    "behind it is its caller");
	must_equal("behind a first instruction", in_handler, 4, at_fault, 1);
}

// Two instructions of one length, in one frame.
void
pass_by(int, siginfo_t *, void *context)
{
	greg_t &pc = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[
	    REG_RIP];
	OUR_FRAMES(in_handler, in_handler_rec);
	must(in_handler.depth > 3 && in_handler.pcs[2] ==
	    static_cast<std::uintptr_t>(pc),
	    "the third frame is where it was interrupted now");
	constexpr int length = 2;
	pc += length;
}

[[gnu::noinline]] void
fault_twice(void *)
{
	TRUE_FRAMES(at_fault);
	asm volatile("ud2; ud2" ::: "memory");
	must_equal("behind the second of two", in_handler, 3, at_fault, 1);
}

void
fault_at_two_places()
{
	struct sigaction act{};
	act.sa_sigaction = pass_by;
	act.sa_flags = SA_SIGINFO;
	must(sigaction(SIGILL, &act, nullptr) == 0, "a handler is installed");
	for (unsigned int i = 0; i < 100; i++)
		under(i / 10, fault_twice, nullptr);
}
#endif

} // namespace

BOOST_AUTO_TEST_CASE(eight_kib_are_enough_for_a_sigsegv_handler, *description(
    "an alternate signal stack of 8 KiB is enough; On arm64 ... "
    "sysconf(_SC_MINSIGSTKSZ) and 4 KiB are"))
{
	BOOST_TEST(in_child(fault_on_a_small_stack) == "");
}

BOOST_AUTO_TEST_CASE(nested_handlers_are_walked_through)
{
	BOOST_TEST(in_child([] { nest_handlers(0); }) == "");
}

BOOST_AUTO_TEST_CASE(handlers_on_an_alternate_stack_are_walked_through)
{
	BOOST_TEST(in_child([] { nest_handlers(SA_ONSTACK); }) == "");
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(an_interrupted_pc_is_looked_up_as_it_is)
{
	BOOST_TEST(in_child(fault_at_the_first_instruction) == "");
}

BOOST_AUTO_TEST_CASE(a_handler_that_comes_elsewhere_is_seen_to)
{
	BOOST_TEST(in_child(fault_at_two_places) == "");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
