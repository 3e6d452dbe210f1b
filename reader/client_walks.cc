// Sends copied stacks to another process and takes the frames from it, many at
// a time, by memory that both processes see.
//
// One half of this memory is filled while the other process works on the other
// half.  The first walk of all goes alone, because the other process is idle
// until then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>

#include "budgets/budgets.h"

#include "services.h"

namespace stack9::apart {
namespace {

// A walk takes some 2 us, and two switches between processes 10 us.  More
// memory takes longer to be touched for the first time.
constexpr std::size_t walks_at_once = 32, bytes_at_once = 128 * 1024;

std::uint64_t
bytes_of(const user_copy &copy) noexcept
{
	std::uint64_t all = 0;
	for (const copied_piece *const piece : copy.pieces())
		all += piece->bytes.size();
	return all;
}

walk_question
question_of(const stack9_space &space, const user_copy &copy,
    const stack_record &rec) noexcept
{
	walk_question q{twins::number_of(space), rec.thread, rec.flags,
	    rec.max, copy.what, copy.value, copy.known, {}};
	for (std::size_t i = 0; i < q.pieces.size(); i++) {
		const copied_piece &piece = *copy.pieces()[i];
		q.pieces[i] = {piece.at, piece.bytes.size(), piece.more};
	}
	return q;
}

} // namespace

bool
client::put_walk(half &to, stack9_space &space, const user_copy &copy,
    const stack_record &rec)
{
	const std::uint64_t bytes = bytes_of(copy);
	std::byte *const at = to.lies_in.next(bytes, rec.max);
	if (at == nullptr)
		return false;
	to.all.push_back({rec.thread.tid > 0 ? rec.thread : space.thread(),
	    space.number(), bytes, rec.flags, rec.max, at});
	to.bytes += sizeof(walk_question) + bytes;
	put_question(at, question_of(space, copy, rec), copy);
	return true;
}

// Changed mappings are sent after the walks by the old ones.
walk_begun
client::try_begin(stack9_space &space, const user_copy &copy,
    const stack_record &rec)
{
	if (rec.max == 0)
		return walk_begun::never;
	if (!twins_.has(space))
		send_walks(halves_[newest_]);
	if (!is_there_for(space))
		return walk_begun::never;
	half *to = &halves_[newest_];
	if (to->sent || !put_walk(*to, space, copy, rec)) {
		send_walks(*to);
		if (!to->all.empty()) {
			half &other = halves_[1 - newest_];
			if (!other.all.empty())
				return walk_begun::full;
			newest_ = 1 - newest_;
			to = &other;
		}
		if (!put_walk(*to, space, copy, rec))
			return walk_begun::never;
	}
	if (first_ || to->all.size() == walks_at_once ||
	    to->bytes >= bytes_at_once)
		send_walks(*to);
	first_ = false;
	return walk_begun::yes;
}

walk_begun
client::begin_walk(stack9_space &space, const user_copy &copy,
    const stack_record &rec) noexcept
try {
	const std::lock_guard hold(lock_);
	return try_begin(space, copy, rec);
} catch (const std::bad_alloc &) {
	return walk_begun::never;
} catch (const std::system_error &) {	// from a mutex
	return walk_begun::never;
}

void
client::send_walks(half &h)
{
	if (h.sent || h.all.empty())
		return;
	message &m = begin(kind::walks, nullptr);
	m.put(static_cast<std::uint32_t>(&h - halves_));
	m.put(static_cast<std::uint32_t>(h.all.size()));
	for (const begun_walk &each : h.all) {
		m.put(each.bytes);
		m.put(each.max);
	}
	h.lies_in.set_done(0);
	h.sent = true;
	if (ended_ || !channel_.send(m))
		give_up();
}

// A request names the walk that it is for.
void
client::await(half &h) noexcept
{
	unique_fd none;
	std::optional<services> by;	// of the walk that asked last
	std::uint32_t last = 0;
	if (!h.sent || h.answered)
		return;
	channel_.limit(budgets::of(budgets::answer_ns));
	while (!ended_ && channel_.receive(in_, none, answer_max)) {
		if (in_.what == kind::answer) {
			take_counts();
			if (!in_.whole())
				break;
			h.answered = true;
			h.answers = h.all.size();
			return;
		}
		const auto number = in_.peek<std::uint32_t>();
		if (number >= h.all.size())
			break;
		if (!by || number != last)
			by.emplace(h.all[number].thread, kind::walks);
		last = number;
		if (!serve(*by))
			break;
	}
	give_up();
}

// The half that was sent first is answered first.
void
client::await_walks() noexcept
{
	await(halves_[oldest_]);
	await(halves_[1 - oldest_]);
}

void
client::empty(half &h) noexcept
{
	h.all.clear();
	h.lies_in.clear();
	h.ended = h.answers = 0;
	h.bytes = 0;
	h.sent = h.answered = false;
	oldest_ = newest_;
}

// The answer is read once, because it may change at any time.
bool
client::take_walk(const begun_walk &of, stack_record &rec, space_walk &how,
    std::uint64_t &wanted) const
{
	walk_answer a;
	std::memcpy(&a, of.answer, sizeof a);
	const std::size_t length = strnlen(a.reason, sizeof a.reason);
	if (a.depth > std::min(of.max, rec.max) || a.how < space_walk::done ||
	    a.how > space_walk::wants_renewal || a.why < STACK9_WHY_NONE ||
	    a.why > STACK9_WHY_AWAY)
		return false;
	rec.reason = sentence_of({a.reason, length});
	std::memcpy(rec.pcs, of.answer + sizeof a, a.depth * sizeof *rec.pcs);
	how = a.how;
	wanted = a.wanted;
	rec.depth = a.depth;
	rec.dropped = a.dropped;
	rec.flags = a.flags & (STACK9_STACK_EXACT | STACK9_STACK_GUESSED);
	rec.why = a.why;
	return true;
}

space_walk
client::end_oldest(stack_record &rec, std::uint64_t &wanted)
{
	half &h = halves_[oldest_];
	space_walk how = space_walk::done;
	send_walks(h);
	await(h);
	if (h.all.empty())
		return nothing(rec);
	const begun_walk &of = h.all[h.ended];
	const bool known = h.ended < h.answers &&
	    take_walk(of, rec, how, wanted);
	if (known && how == space_walk::done)
		expect_names(of.snapshot, rec);
	if (++h.ended == h.all.size())
		empty(h);
	return known ? how : nothing(rec);
}

space_walk
client::end_walk(stack_record &rec, std::uint64_t &wanted) noexcept
try {
	const std::lock_guard hold(lock_);
	return end_oldest(rec, wanted);
} catch (const std::bad_alloc &) {
	return nothing(rec);
} catch (const std::system_error &) {	// from a mutex
	return nothing(rec);
}

void
client::forget_walks() noexcept
{
	await_walks();
	for (half &each : halves_)
		empty(each);
	first_ = true;
	claimed_ = false;
}

// False: its copy has to be sent in another way.
bool
client::walk_alone(stack9_space &space, const user_copy &copy,
    stack_record &rec, space_walk &how, std::uint64_t &wanted)
{
	if (!claim_walks())
		return false;
	const bool begun = try_begin(space, copy, rec) == walk_begun::yes;
	if (begun)
		how = end_oldest(rec, wanted);
	forget_walks();
	return begun;
}

void
client::release_walks() noexcept
try {
	const std::lock_guard hold(lock_);
	forget_walks();
} catch (const std::system_error &) {	// they stay claimed
}

} // namespace stack9::apart
