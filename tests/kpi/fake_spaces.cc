// Makes scripted address spaces, in which frames are the words of a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "core/seam/space.h"

#include "fake_backend.h"

struct stack9_space {
	pid_t	pid;
	int	looks = 1;
	int	holders = 1;
};

namespace stack9 {

int
space_open(const stack9_thread &td, stack9_space *&out) noexcept
{
	if (fake::now.space_error != 0)
		return fake::now.space_error;
	fake::now.opened++;
	out = new stack9_space{td.pid};
	return 0;
}

int
space_of_now(const stack9_thread &td, unique_space &out) noexcept
{
	stack9_space *made = nullptr;
	const int error = space_open(td, made);
	if (error != 0)
		return error;
	made->looks = fake::now.opened;	// the later, the more is mapped
	out.reset(made);
	return 0;
}

void
space_hold(stack9_space &s) noexcept
{
	s.holders++;
}

void
space_drop(stack9_space *s) noexcept
{
	if (s == nullptr || --s->holders > 0)
		return;
	fake::now.dropped++;
	delete s;
}

int
space_renew(stack9_space &s) noexcept
{
	fake::now.renewed++;
	s.looks++;
	return 0;
}

space_walk
walk_copy(stack9_space &s, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
{
	const std::size_t words =
	    copy.stack.bytes.size() / sizeof(std::uintptr_t);
	rec.why = STACK9_WHY_NONE;
	rec.depth = rec.dropped = 0;
	for (std::size_t i = 0; i < words; i++) {
		std::uintptr_t pc = 0;
		std::memcpy(&pc, copy.stack.bytes.data() + i * sizeof pc,
		    sizeof pc);
		if (rec.depth == rec.max) {
			rec.why = STACK9_WHY_TRUNCATED;
			rec.dropped = 1;
			return space_walk::done;
		}
		rec.pcs[rec.depth++] = pc;
		if (s.looks < 2 && fake::now.mapped_late.count(pc) != 0) {
			rec.why = STACK9_WHY_UNWIND;
			return space_walk::wants_renewal;
		}
	}
	if (!copy.stack.more)
		return space_walk::done;
	rec.why = STACK9_WHY_MEMORY;
	wanted = copy.stack.at + copy.stack.bytes.size();
	return space_walk::wants_more;
}

bool
is_silent(const stack9_space &) noexcept
{
	return true;
}

written_search
walk_written(stack9_space &, const user_copy &, const written_question &,
    stack_record &, written_stack &) noexcept
{
	return written_search::none;
}

int
space_module(stack9_space &, std::uintptr_t, mapped_module &) noexcept
{
	return ENOENT;
}

bool
space_has(stack9_space &s, const std::uintptr_t *pcs, std::uint32_t n) noexcept
{
	return s.looks >= 2 || std::none_of(pcs, pcs + n,
	    [](std::uintptr_t pc) {
		    return fake::now.mapped_late.count(pc) != 0;
	    });
}

} // namespace stack9
