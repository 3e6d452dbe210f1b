// Runs work step by step and compares an engine's stacks with a shadow stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <signal.h>

#include "steps_engines.h"

// In assembly language, so that these too have unwind information that is
// right at each instruction.  The first trap comes after steps_trap_on's ret.
asm(R"(
	.pushsection .text
	.type	steps_trap_on, @function
steps_trap_on:
	.cfi_startproc
	pushfq
	.cfi_adjust_cfa_offset 8
	orq	$0x100, (%rsp)
	popfq
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	steps_trap_on, . - steps_trap_on
	.type	steps_trap_off, @function
steps_trap_off:
	.cfi_startproc
	pushfq
	.cfi_adjust_cfa_offset 8
	andq	$~0x100, (%rsp)
	popfq
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	steps_trap_off, . - steps_trap_off
	.popsection
)");
extern "C" void steps_trap_on() noexcept;
extern "C" void steps_trap_off() noexcept;

// libgcc's: it takes no lock where the C library has _dl_find_object().
extern "C" const void *_Unwind_Find_FDE(void *pc, void *bases);

namespace steps {

namespace {

// A jump may show in the stack for this many steps before its end.
constexpr std::uint64_t window = 512;

result seen;
struct {
	frames	ours, truth, theirs;
} now;		// too large for a handler's stack
shadow stack;
engine take;
bool doubtful;
bool begun;
std::size_t switcher;	// the depth that the frame had which has loaded sp
address last_pc;
alignas(64) unsigned char handler_stack[256 << 10];

// Not std::equal(): it may be a call through the PLT into the C library.
std::uint32_t
common(const frames &a, const frames &b, std::uint32_t from = 0) noexcept
{
	std::uint32_t n = 0;
	while (n + from < a.depth && n < b.depth &&
	    a.pcs[n + from] == b.pcs[n])
		n++;
	return n;
}

void
expect(address pc, frames &truth) noexcept
{
	truth.depth = 0;
	truth.pcs[truth.depth++] = pc;
	for (std::size_t i = 0; i < stack.depth(); i++)
		truth.pcs[truth.depth++] = stack[i].ra;
	for (std::uint32_t i = 0; i < seen.base.depth; i++)
		truth.pcs[truth.depth++] = seen.base.pcs[i];
}

// same: how many frames are right.
bool
is_known(const frames &truth, std::uint32_t same) noexcept
{
	void *bases[3];
	const bool exact = same == 1;
	return same == 0 || _Unwind_Find_FDE(reinterpret_cast<void *>(
	    truth.pcs[same - 1] - !exact), bases) != nullptr;
}

verdict
judge(const ucontext_t &uc, const frames &ours, const frames &truth) noexcept
{
	const std::uint32_t same = common(ours, truth);
	if (same == truth.depth && same == ours.depth)
		return verdict::exact;
	if (!is_known(truth, same))
		return verdict::unknown;
	if (doubtful) {
		now.theirs.depth =
		    libunwind(uc, now.theirs.pcs.data(), frames_max);
		if (common(now.theirs, truth) <= same)
			return verdict::misled;
	}
	return same == ours.depth ? verdict::short_of : verdict::wrong;
}

void
keep(verdict v, const frames &ours, const frames &truth) noexcept
{
	difference *d = seen.differences.next();
	if (d == nullptr)
		return;
	d->how = v;
	d->when = seen.steps;
	d->ours = ours;
	d->truth = truth;
	const address pc = truth.pcs[0];
	d->bytes.fill(0);
	std::memcpy(d->bytes.data(), reinterpret_cast<void *>(pc),
	    std::min<std::size_t>(d->bytes.size(), 4096 - pc % 4096));
}

void
count(verdict v, int by = 1) noexcept
{
	seen.verdicts[static_cast<std::size_t>(v)] += by;
}

// Those of the last steps for which explains() holds are of another kind.
template<typename F>
void
look_back(verdict v, F explains) noexcept
{
	auto &all = seen.differences;
	std::size_t kept = 0;
	for (const difference &d : all) {
		if (d.when + window >= seen.steps && explains(d)) {
			count(d.how, -1);
			count(v);
		} else if (&all.all[kept++] != &d)
			all.all[kept - 1] = d;
	}
	all.size = kept;
}

// The jump has come to what was foretold.  If not, what was there is right up
// to the frame that has loaded sp, or to the pc of where it went, whose frame
// is that of the byte before it only by luck.  libunwind has to have been lost,
// too, where it could be asked.
void
look_back_from_landing(const frames &truth) noexcept
{
	look_back(verdict::target, [&truth](const difference &d) {
		return d.ours.depth == truth.depth + 1 &&
		    common(d.ours, truth, 1) == truth.depth;
	});
	look_back(verdict::landing, [&truth](const difference &d) {
		if (doubtful && d.how != verdict::misled)
			return false;
		const std::size_t behind = switcher + seen.base.depth;
		return d.truth.depth > behind ?
		    common(d.ours, d.truth) >= d.truth.depth - behind :
		    common(d.ours, truth, 1) >= 1;
	});
}

void
note(deed d, address pc) noexcept
{
	seen.deeds[static_cast<std::size_t>(d)]++;
	if (d != deed::unexplained)
		return;
	if (address *at = seen.unexplained.next())
		*at = pc;
}

void
begin(const ucontext_t &uc) noexcept
{
	begun = true;
	switcher = 0;
	seen.base.depth = libunwind(uc, seen.base.pcs.data(), frames_max) - 1;
	std::copy_n(seen.base.pcs.begin() + 1, seen.base.depth,
	    seen.base.pcs.begin());
	stack.begin();
}

// The shadow stack first: it says what this capture is to be, and what the
// last ones were for.
void
follow(address pc, address sp) noexcept
{
	seen.steps++;
	seen.instructions += pc != last_pc;	// equal: a rep prefix's round
	const std::size_t depth = stack.depth();
	const deed did = stack.step(pc, sp);
	note(did, last_pc);
	last_pc = pc;
	expect(pc, now.truth);
	seen.deepest = std::max(seen.deepest, now.truth.depth);
	if (did == deed::switched)
		switcher = std::max(switcher, depth);
	if (did == deed::landed) {
		look_back_from_landing(now.truth);
		switcher = 0;
	}
}

void
step(const ucontext_t &uc) noexcept
{
	if (!begun)
		begin(uc);
	follow(static_cast<address>(uc.uc_mcontext.gregs[REG_RIP]),
	    static_cast<address>(uc.uc_mcontext.gregs[REG_RSP]));
	now.ours.depth = take(uc, now.ours.pcs.data(), frames_max);
	const verdict v = judge(uc, now.ours, now.truth);
	count(v);
	if (v != verdict::exact)
		keep(v, now.ours, now.truth);
}

void
on_trap(int, siginfo_t *, void *uc)
{
	const int saved = errno;
	step(*static_cast<ucontext_t *>(uc));
	errno = saved;
}

class traps {
public:
	traps() noexcept
	{
		const stack_t own{handler_stack, 0, sizeof handler_stack};
		sigaltstack(&own, &old_stack_);
		struct sigaction s{};
		s.sa_sigaction = on_trap;
		s.sa_flags = SA_SIGINFO | SA_ONSTACK;
		sigfillset(&s.sa_mask);
		sigaction(SIGTRAP, &s, &old_action_);
	}
	~traps()
	{
		sigaction(SIGTRAP, &old_action_, nullptr);
		sigaltstack(&old_stack_, nullptr);
	}

private:
	stack_t			old_stack_;
	struct sigaction	old_action_;
};

[[gnu::noinline]] void
step_over(void (*work)()) noexcept
{
	steps_trap_on();
	work();
	steps_trap_off();
}

} // namespace

const result &
step_through(void (*work)(), engine e, bool ask) noexcept
{
	std::construct_at(&seen);	// 2 MiB: no temporary
	take = e;
	doubtful = ask;
	begun = false;
	last_pc = 0;
	const traps set;
	step_over(work);
	return seen;
}

void
step_through_handler(ucontext_t &uc) noexcept
{
	stack.enter_signal(uc);
	steps_trap_on();
}

} // namespace steps
