// Puts questions to the reader and takes its answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "connection.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "budgets/budgets.h"
#include "core/seam/file_notes.h"

#include "services.h"

namespace stack9::sandbox {

message &
connection::question(kind what, const stack9_space *space)
{
	// Walks that have begun go on beside this thread.  Most processes are
	// asked about languages once, and a move costs more than that saves.
	if (what == kind::written) {
		if (has_asked_written_)
			near_.bring(child_.pid());
		has_asked_written_ = true;
	}
	if (what == kind::walks)
		near_.release();
	out_.begin(what);
	out_.put(budgets::factor.load(std::memory_order_relaxed));
	out_.put(space != nullptr ? mirrors::number_of(*space) : 0);
	allowed_ns_ = budgets::of(budgets::answer_ns);
	return out_;
}

bool
connection::serve(services &by) noexcept
try {
	unique_fd fd;
	const kind what = in_.what;
	if (by.serve(in_, fd))
		return child_.link().send(in_, fd.get());
	asked_for_ = what;
	return false;
} catch (const std::bad_alloc &) {
	return false;
}

bool
connection::send() noexcept
{
	return !child_.has_ended() && child_.link().send(out_);
}

bool
connection::receive() noexcept
{
	unique_fd none;
	return !child_.has_ended() &&
	    child_.link().receive(in_, none, answer_max);
}

// A reader that says anything else than it should is ended.
bool
connection::ask(const stack9_thread &whose, int fd) noexcept
{
	before_->await();
	if (!is_there())
		return false;
	child_.link().limit(allowed_ns_);
	asked_about_ = whose.pid;
	services by(whose, out_.what);
	if (child_.link().send(out_, fd))
		while (receive()) {
			if (in_.what == kind::answer) {
				asked_about_ = 0;
				take_counts();
				take_notes();
				return in_.whole();
			}
			if (!serve(by))
				break;
		}
	give_up();
	return false;
}

void
connection::take_counts() noexcept
{
	for (std::size_t i = 0; i < std::size(counts_); i++) {
		const auto now = in_.get<std::uint64_t>();
		if (!in_.whole() || now < counts_[i])
			continue;
		budgets::left_out_counts[i].fetch_add(now - counts_[i],
		    std::memory_order_relaxed);
		counts_[i] = now;
	}
}

// The path may be any text: it is shown to people, and nothing is opened by it.
void
connection::take_notes() noexcept
{
	for (auto n = in_.get<std::uint32_t>(); n > 0 && in_.whole(); n--) {
		const auto what = in_.get<std::uint8_t>();
		const std::string_view path = in_.get_text();
		if (in_.whole() && what < std::size(lacking_kinds))
			the_file_notes.add(lacking(what), path);
	}
}

// The pieces may be large, so they are not copied into a message.
bool
connection::send_copy(const user_copy &copy)
{
	channel &to = child_.link();
	message &m = out_.begin(kind::copy);
	m.put(copy.what);
	m.put(copy.value);
	m.put(copy.known);
	for (const copied_piece *const piece : copy.pieces()) {
		m.put(piece->at);
		m.put(piece->more);
		m.put(std::uint64_t{piece->bytes.size()});
	}
	bool sent = to.send(m);
	for (const copied_piece *const piece : copy.pieces())
		sent = sent && to.send_bytes(piece->bytes.data(),
		    piece->bytes.size());
	if (!sent)
		give_up();
	return sent;
}

// Another reader knows nothing and has left out nothing.
bool
connection::start() noexcept
{
	if (!child_.start())
		return false;
	std::fill(std::begin(counts_), std::end(counts_), 0);
	mirrors_.forget_all();
	return true;
}

bool
connection::is_there() noexcept
{
	if (child_.is_forked())
		return false;
	if (!child_.has_ended() && (!child_.greet(in_) ||
	    (!before_->is_awaited() && !child_.is_well())))
		give_up();
	if (child_.has_ended() && start() && !child_.greet(in_))
		give_up();
	if (!child_.has_ended())
		child_.link().limit(budgets::of(budgets::answer_ns));
	return !child_.has_ended();
}

bool
connection::is_there_for(stack9_space &space)
{
	if (child_.avoids(space.thread().pid) || !is_there())
		return false;
	if (mirrors_.send(space, child_.link(), out_))
		return true;
	give_up();
	return false;
}

void
connection::give_up() noexcept
{
	if (child_.has_ended())
		return;
	const bool too_far = std::exchange(asked_for_, kind::answer) !=
	    kind::answer;
	before_->lose(asked_about_);
	child_.give_up(asked_about_, too_far);
	asked_about_ = 0;
}

space_walk
connection::nothing(stack_record &rec) const noexcept
{
	rec.depth = 0;
	rec.why = STACK9_WHY_RESOURCE;
	rec.reason = child_.why();
	return space_walk::done;
}

space_walk
connection::nothing(const stack9_space &space, stack_record &rec) const
    noexcept
{
	nothing(rec);
	if (!child_.has_ended() && child_.avoids(space.thread().pid))
		rec.reason = "the process that reads files has ended when it "
		    "read those of this process: it is not asked about it for "
		    "ten minutes";
	return space_walk::done;
}

} // namespace stack9::sandbox
