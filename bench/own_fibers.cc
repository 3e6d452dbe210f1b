// Times captures of stacks that have no frame in common: fibers in turns, each
// deep in a call tree of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csetjmp>
#include <memory>
#include <vector>

#include <stack9_coroutines.h>
#include <ucontext.h>

#include "own_clock.h"
#include "own_fixed.h"
#include "own_rows.h"

namespace {

constexpr std::size_t stack_size = 256 * 1024;	// each mapped by itself

class ring;

struct fiber final : fixed_walk {
	fiber(capture c, ring &r, unsigned frames, std::uint32_t path) :
	    fixed_walk(c), all(r), wanted(frames), seed(path) {}

	ring		&all;
	unsigned	wanted;
	std::uint32_t	seed;
	std::unique_ptr<char[]> stack{new char[stack_size]};
	jmp_buf		at;
	bool		entered = false;

	void leaf() override;
	void enter();
};

// They take turns; whoever finds that it is enough goes home instead.
class ring {
public:
	ring(capture c, unsigned frames, unsigned count, bool reports) :
	    reports_(reports), times_(100 * count)
	{
		for (unsigned i = 0; i < count; i++)
			fibers_.push_back(std::make_unique<fiber>(c, *this,
			    frames, 1000 + i));
	}

	// False: some fiber is not seen as deep as it is.
	bool
	run()
	{
		if (setjmp(home_) == 0)
			go_to(*fibers_[0]);
		return good_;
	}

	// setjmp() where swapcontext() would make a system call at each turn.
	void
	next(fiber &from)
	{
		if (times_.enough())
			home(true);
		turn_ = (turn_ + 1) % fibers_.size();
		if (setjmp(from.at) == 0)
			go_to(*fibers_[turn_]);
	}

	[[noreturn]] void
	home(bool good)
	{
		good_ = good;
		longjmp(home_, 1);
	}

	void add(std::uint64_t from, std::uint64_t to)
	{
		times_.add(clock_.ns(from, to));
	}

	double ns() const { return times_.lowest(); }

private:
	// The arguments of a context's function are ints.
	static void
	first()
	{
		starting->enter();
	}

	[[noreturn]] void
	go_to(fiber &f)
	{
		if (reports_)
			stack9_switch_stack(f.stack.get(), stack_size);
		if (f.entered)
			longjmp(f.at, 1);
		f.entered = true;
		starting = &f;
		getcontext(&context_);
		context_.uc_stack.ss_sp = f.stack.get();
		context_.uc_stack.ss_size = stack_size;
		context_.uc_link = nullptr;
		makecontext(&context_, first, 0);
		setcontext(&context_);
		__builtin_unreachable();
	}

	static inline fiber *starting;

	tick_clock	clock_;
	const bool	reports_;		// where it switches to
	rounds		times_;
	std::vector<std::unique_ptr<fiber>> fibers_;
	std::size_t	turn_ = 0;
	bool		good_ = false;
	ucontext_t	context_;
	jmp_buf		home_;
};

void
fiber::leaf()
{
	low = 0;
	if (probing()) {
		once();
		return;
	}
	for (;;) {
		const std::uint64_t begin = ticks();
		once();
		all.add(begin, ticks());
		if (found() != wanted)
			all.home(false);
		all.next(*this);
	}
}

void
fiber::enter()
{
	run(wanted, seed);	// back only if there can be no such stack
	all.home(false);
}

figure
stacks_in_turn(capture c, unsigned wanted, unsigned count, bool reports)
{
	ring r(c, wanted, count, reports);
	if (!r.run())
		return {};
	return {r.ns(), double(wanted)};
}

} // namespace

figure
row_two_stacks(capture c, unsigned wanted)
{
	return stacks_in_turn(c, wanted, 2, false);
}

figure
row_eight_stacks(capture c, unsigned wanted)
{
	return stacks_in_turn(c, wanted, 8, false);
}

figure
row_two_switched(capture c, unsigned wanted)
{
	return stacks_in_turn(c, wanted, 2, true);
}

figure
row_eight_reported(capture c, unsigned wanted)
{
	return stacks_in_turn(c, wanted, 8, true);
}
