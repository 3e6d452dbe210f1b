// Sends copied stacks to the reader and takes the frames from it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "begun_walks.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "budgets/budgets.h"

#include "sentences.h"
#include "services.h"
#include "walk_message.h"

namespace stack9::sandbox {
namespace {

// A walk takes some 2 us, and two switches between processes 10 us.  More
// memory takes longer to be touched for the first time.
constexpr std::size_t walks_at_once = 32, bytes_at_once = 128 * 1024;
// Room for the written frames of one stack.  Where they need more they are
// asked for once more.
constexpr std::uint32_t most_written = 16 * 1024;

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
    const stack_record &rec, const written_question &asked) noexcept
{
	walk_question q{mirrors::number_of(space), rec.thread, rec.flags,
	    rec.max, asked.thread_pointer, asked.moment, copy.what, copy.value,
	    copy.known, {}};
	for (std::size_t i = 0; i < q.pieces.size(); i++) {
		const copied_piece &piece = *copy.pieces()[i];
		q.pieces[i] = {piece.at, piece.bytes.size(), piece.more};
	}
	return q;
}

} // namespace

bool
begun_walks::put(half &to, stack9_space &space, const user_copy &copy,
    const stack_record &rec, const written_question &asked)
{
	const std::uint64_t bytes = bytes_of(copy);
	const std::uint32_t written = asked.moment != 0 ? most_written : 0;
	std::byte *const at = to.lies_in.next(bytes, rec.max, written);
	if (at == nullptr)
		return false;
	to.all.push_back({rec.thread.tid > 0 ? rec.thread : space.thread(),
	    space.number(), bytes, rec.flags, rec.max, written, at});
	to.bytes += sizeof(walk_question) + bytes;
	put_question(at, question_of(space, copy, rec, asked), copy);
	return true;
}

// Mappings that have changed are sent after the walks by the old ones.
walk_begun
begun_walks::begin(stack9_space &space, const user_copy &copy,
    const stack_record &rec, const written_question &asked)
{
	if (rec.max == 0)
		return walk_begun::never;
	if (!by_.known().has(space))
		send(halves_[newest_]);
	if (!by_.is_there_for(space))
		return walk_begun::never;
	half *to = &halves_[newest_];
	if (to->sent || !put(*to, space, copy, rec, asked)) {
		send(*to);
		if (!to->all.empty()) {
			half &other = halves_[1 - newest_];
			if (!other.all.empty())
				return walk_begun::full;
			newest_ = 1 - newest_;
			to = &other;
		}
		if (!put(*to, space, copy, rec, asked))
			return walk_begun::never;
	}
	if (generation_ != by_.reader().generation())
		first_ = true;
	generation_ = by_.reader().generation();
	if (first_ || to->all.size() == walks_at_once ||
	    to->bytes >= bytes_at_once)
		send(*to);
	first_ = false;
	return walk_begun::yes;
}

void
begun_walks::send(half &h)
{
	if (h.sent || h.all.empty())
		return;
	message &m = by_.question(kind::walks, nullptr);
	m.put(static_cast<std::uint32_t>(&h - halves_));
	m.put(static_cast<std::uint32_t>(h.all.size()));
	for (const begun &each : h.all) {
		m.put(each.bytes);
		m.put(each.max);
		m.put(each.written);
	}
	h.lies_in.set_done(0);
	h.sent = true;
	if (!by_.send())
		by_.give_up();
}

// A request names the walk that it is for.
void
begun_walks::await(half &h) noexcept
{
	std::optional<services> by;	// of the walk that asked last
	std::uint32_t last = 0;
	if (!h.sent || h.answered)
		return;
	by_.reader().link().limit(budgets::of(budgets::answer_ns));
	while (by_.receive()) {
		message &in = by_.answer();
		if (in.what == kind::answer) {
			by_.take_counts();
			if (!in.whole())
				break;
			h.answered = true;
			h.answers = h.all.size();
			return;
		}
		const auto number = in.peek<std::uint32_t>();
		if (number >= h.all.size())
			break;
		if (!by || number != last)
			by.emplace(h.all[number].thread, kind::walks);
		last = number;
		if (!by_.serve(*by))
			break;
	}
	by_.give_up();
}

// The half that was sent first is answered first.
void
begun_walks::await() noexcept
{
	await(halves_[oldest_]);
	await(halves_[1 - oldest_]);
}

void
begun_walks::empty(half &h) noexcept
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
begun_walks::take(const begun &of, stack_record &rec, space_walk &how,
    std::uint64_t &wanted, std::uint32_t &written)
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
	written = a.written;
	rec.depth = a.depth;
	rec.dropped = a.dropped;
	rec.flags = a.flags & (STACK9_STACK_EXACT | STACK9_STACK_GUESSED);
	rec.why = a.why;
	return true;
}

// The native frames come back with them: a language may have replaced them.
written_search
begun_walks::take_written(const begun &of, std::uint32_t written,
    stack_record &rec) noexcept
try {
	written_search found;
	if (written == 0 || written > of.written || rec.written == nullptr)
		return written_search::unasked;
	written_.begin(kind::answer);
	written_.put_bytes(of.answer + sizeof(walk_answer) +
	    rec.depth * sizeof *rec.pcs, written);
	return sandbox::take_written(written_, rec, *rec.written, found) ?
	    found : written_search::failed;
} catch (const std::bad_alloc &) {
	return written_search::failed;
}

space_walk
begun_walks::end(stack_record &rec, std::uint64_t &wanted,
    written_search &written)
{
	half &h = halves_[oldest_];
	space_walk how = space_walk::done;
	std::uint32_t bytes = 0;
	written = written_search::unasked;
	send(h);
	await(h);
	if (h.all.empty())
		return by_.nothing(rec);
	const begun &of = h.all[h.ended];
	const bool known = h.ended < h.answers &&
	    take(of, rec, how, wanted, bytes);
	if (known && how == space_walk::done) {
		written = take_written(of, bytes, rec);
		names_.expect(of.snapshot, rec);
	}
	if (++h.ended == h.all.size())
		empty(h);
	return known ? how : by_.nothing(rec);
}

void
begun_walks::forget() noexcept
{
	await();
	for (half &each : halves_)
		empty(each);
	first_ = true;
	claimed_ = false;
}

bool
begun_walks::walk(stack9_space &space, const user_copy &copy,
    stack_record &rec, space_walk &how, std::uint64_t &wanted)
{
	if (!claim())
		return false;
	const bool is_begun = begin(space, copy, rec) == walk_begun::yes;
	written_search unused;
	if (is_begun)
		how = end(rec, wanted, unused);
	forget();
	return is_begun;
}

bool
begun_walks::is_awaited() const noexcept
{
	return std::any_of(std::begin(halves_), std::end(halves_),
	    [](const half &h) { return h.sent && !h.answered; });
}

// Its memory says how many walks it has done, and may lie: each is checked.
void
begun_walks::lose(pid_t &asked_about) noexcept
{
	if (is_awaited())
		asked_about = 0;
	for (half *const h : {&halves_[oldest_], &halves_[1 - oldest_]}) {
		if (h->all.empty() || h->answered)
			continue;
		h->answers = h->sent ? std::min<std::size_t>(
		    h->lies_in.done(), h->all.size()) : 0;
		if (h->sent && asked_about == 0 &&
		    h->answers < h->all.size())
			asked_about = h->all[h->answers].thread.pid;
		h->sent = h->answered = true;
	}
}

} // namespace stack9::sandbox
