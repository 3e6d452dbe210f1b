// Reads long programs once, and knows when to stop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "long_functions.h"

#include <new>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "budgets/minute.h"
#include "os/clocks.h"
#include "os/forked_lock.h"

namespace stack9::process {
namespace {

constinit budgets::minute bytes_of_minute(budgets::long_rereading_a_minute);

} // namespace

bool
long_functions::find(std::uint64_t vaddr, unwind::rule &to) noexcept
{
	if (!any_.load(std::memory_order_acquire))
		return false;
	const std::lock_guard hold(lock_);
	const auto behind = by_begin_.upper_bound(vaddr);
	if (behind == by_begin_.begin() ||
	    !std::prev(behind)->second.covers(vaddr))
		return false;
	to = std::prev(behind)->second.at(vaddr);
	return true;
}

void
long_functions::leave_in_child() noexcept
{
	if (!free_in_child(lock_))
		return;
	any_.store(false, std::memory_order_release);
	new (&by_begin_) decltype(by_begin_);
	rules_ = 0;
}

// The lock is held.
void
long_functions::keep(const unwind::cfi_section &s, std::size_t fde)
{
	unwind::function_rules all;
	if (!unwind::rules_of_fde(s, fde, all) ||
	    budgets::exceeds(rules_ + all.parts.size(), budgets::long_rules))
		return;
	const std::uintptr_t begin = all.begin;
	all.parts.shrink_to_fit();
	const std::size_t count = all.parts.size();
	if (by_begin_.try_emplace(begin, std::move(all)).second)
		rules_ += count;
	any_.store(true, std::memory_order_release);
}

bool
long_functions::may_read(const unwind::cfi_section &s, std::size_t fde) noexcept
{
	const std::uint64_t size = unwind::programs_size(s, fde);
	if (size <= budgets::long_program)
		return true;
	const std::lock_guard hold(lock_);
	read_ += size;
	if (budgets::exceeds(size, budgets::unwind_program) ||
	    budgets::exceeds(read_, budgets::long_rereading) ||
	    !bytes_of_minute.take(monotonic_ns(), size)) {
		leave_out(budgets::left_out::unwind_programs);
		return false;
	}
	try {
		keep(s, fde);
	} catch (const std::bad_alloc &) {	// each row is read by itself
	}
	return true;
}

} // namespace stack9::process
