// Begins and ends the walks of a line of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_line.h"

#include <utility>

#include "os/thread_pointer.h"

namespace stack9 {

void
waiting_thread::take_kernel(const stack_record *from)
{
	has_kernel = from != nullptr;
	if (!has_kernel)
		return;
	kernel = *from;
	if (from->flags & record_has_text) {
		kernel_text_ = from->text;
		kernel_pcs_.assign(from->depth, 0);
	} else {
		kernel_pcs_.assign(from->pcs, from->pcs + from->depth);
	}
	kernel.pcs = kernel_pcs_.data();
	kernel.text = kernel_text_.data();
}

std::unique_ptr<waiting_thread>
user_line::unused()
{
	if (unused_.empty()) {
		unused_.reserve(line_->size() + 1);
		return std::make_unique<waiting_thread>();
	}
	auto last = std::move(unused_.back());
	unused_.pop_back();
	return last;
}

bool
user_line::add(sides &s)
{
	using need = waiting_thread::need;
	if (!line_)
		line_.emplace();
	auto fresh = unused();
	fresh->take_kernel(s.kernel);
	line_->push_back(std::move(fresh));
	waiting_thread &t = *line_->back();
	t.still = need::nothing;
	if (s.user.error == 0 && s.user.space != nullptr) {
		written_question asked;
		asked.moment = s.user.moment;
		if (asked.moment != 0)
			asked.thread_pointer = thread_pointer(
			    s.user.thread.tid);
		const walk_begun how = walks_.begin(*s.user.space, s.copy,
		    s.user, asked);
		if (how == walk_begun::full) {
			unused_.push_back(std::move(line_->back()));
			line_->pop_back();
			return false;
		}
		t.still = how == walk_begun::yes ? need::end : need::walk;
		space_hold(*s.user.space);
		t.space.reset(s.user.space);
	} else if (s.user.error == 0) {
		t.still = need::walk;
	}
	t.user = s.user;
	std::swap(t.copy, s.copy);
	return true;
}

space_walk
user_line::end(written_search &found) noexcept
{
	std::uint64_t wanted;
	return walks_.end(first().user, wanted, found);
}

void
user_line::drop_first() noexcept
{
	first().space.reset();
	unused_.push_back(std::move(line_->front()));
	line_->pop_front();
}

} // namespace stack9
