// Asks another process about files and copied stacks.
//
// Nothing that it answers is believed further than it may harm: numbers are
// compared with what there is room for, and texts are copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <vector>

#include "budgets/budgets.h"
#include "core/seam/file_notes.h"

#include "services.h"

namespace stack9::apart {

message &
client::begin(kind what, const stack9_space *space)
{
	// Walks that have begun go on beside this thread.
	if (what == kind::written)
		near_.bring(pid_.load(std::memory_order_relaxed));
	else if (what == kind::walks)
		near_.release();
	out_.begin(what);
	out_.put(budgets::factor.load(std::memory_order_relaxed));
	out_.put(space != nullptr ? twins::number_of(*space) : 0);
	if (what == kind::lines || (what == kind::describe && wants_lines_))
		channel_.limit(budgets::of(budgets::lines_ns));
	return out_;
}

bool
client::serve(services &by) noexcept
try {
	unique_fd fd;
	const kind what = in_.what;
	if (by.serve(in_, fd))
		return channel_.send(in_, fd.get());
	asked_for_ = what;
	return false;
} catch (const std::bad_alloc &) {
	return false;
}

// Sends out_ and waits for in_.  A reader that says anything else than it
// should is ended.
bool
client::ask(const stack9_thread &whose, int fd) noexcept
{
	unique_fd none;
	await_walks();
	if (!is_there())
		return false;
	asked_about_ = whose.pid;
	services by(whose, out_.what);
	if (channel_.send(out_, fd))
		while (channel_.receive(in_, none, answer_max)) {
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
client::take_counts() noexcept
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
client::take_notes() noexcept
{
	for (auto n = in_.get<std::uint32_t>(); n > 0 && in_.whole(); n--) {
		const auto what = in_.get<std::uint8_t>();
		const std::string_view path = in_.get_text();
		if (in_.whole() && what < std::size(lacking_kinds))
			the_file_notes.add(lacking(what), path);
	}
}

bool
client::take_walk(stack_record &rec, space_walk &how, std::uint64_t &wanted)
{
	how = in_.get<space_walk>();
	wanted = in_.get<std::uint64_t>();
	const auto why = in_.get<stack9_why>();
	const auto flags = in_.get<std::uint32_t>();
	const auto dropped = in_.get<std::uint32_t>();
	const char *const reason = sentence_of(in_.get_text());
	const auto depth = in_.get<std::uint32_t>();
	if (depth > rec.max || how < space_walk::done ||
	    how > space_walk::wants_renewal || why < STACK9_WHY_NONE ||
	    why > STACK9_WHY_AWAY)
		return false;
	const auto pcs = in_.get_bytes(depth * sizeof *rec.pcs);
	if (!in_.whole())
		return false;
	std::memcpy(rec.pcs, pcs.data(), pcs.size());
	rec.depth = depth;
	rec.dropped = dropped;
	rec.flags = flags & (STACK9_STACK_EXACT | STACK9_STACK_GUESSED);
	rec.why = why;
	rec.reason = reason;
	return true;
}

void
client::expect_names(std::uint64_t snapshot, const stack_record &rec)
{
	for (std::uint32_t i = 0; i < rec.depth; i++)
		described_.expect(snapshot, {rec.pcs[i], i > 0 ||
		    (rec.flags & STACK9_STACK_EXACT) == 0});
}

// The pieces may be large, so they are not copied into a message.
bool
client::send(const user_copy &copy)
{
	message &m = out_.begin(kind::copy);
	m.put(copy.what);
	m.put(copy.value);
	m.put(copy.known);
	for (const copied_piece *const piece : copy.pieces()) {
		m.put(piece->at);
		m.put(piece->more);
		m.put(std::uint64_t{piece->bytes.size()});
	}
	bool sent = channel_.send(m);
	for (const copied_piece *const piece : copy.pieces())
		sent = sent && channel_.send_bytes(piece->bytes.data(),
		    piece->bytes.size());
	return sent;
}

// False: the reader has ended.
bool
client::try_walk(stack9_space &space, const user_copy &copy, stack_record &rec,
    space_walk &how, std::uint64_t &wanted)
{
	const stack9_thread whose = rec.thread.tid > 0 ? rec.thread :
	    space.thread();
	was_killed_ = false;
	if (walk_alone(space, copy, rec, how, wanted))
		return !was_killed_;
	await_walks();
	if (!is_there_for(space))
		return false;
	if (!send(copy)) {
		give_up();
		return false;
	}
	message &m = begin(kind::walk, &space);
	m.put(rec.thread);
	m.put(rec.flags);
	m.put(rec.max);
	if (!ask(whose) || !take_walk(rec, how, wanted))
		return false;
	if (how == space_walk::done)
		expect_names(space.number(), rec);
	return true;
}

space_walk
client::walk(stack9_space &space, const user_copy &copy, stack_record &rec,
    std::uint64_t &wanted) noexcept
try {
	const std::lock_guard hold(lock_);
	space_walk how = space_walk::done;
	if (rec.max == 0)
		return how;
	return try_walk(space, copy, rec, how, wanted) || (once_more() &&
	    try_walk(space, copy, rec, how, wanted)) ? how :
	    nothing(space, rec);
} catch (const std::bad_alloc &) {
	return nothing(rec);
} catch (const std::system_error &) {	// from a mutex
	return nothing(rec);
}

} // namespace stack9::apart
