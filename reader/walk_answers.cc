// Reads the answers to questions about copied stacks, and refuses those that
// cannot be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>

#include "sentences.h"
#include "walk_message.h"

namespace stack9::sandbox {

bool
take_walk(message &from, stack_record &rec, space_walk &how,
    std::uint64_t &wanted)
{
	how = from.get<space_walk>();
	wanted = from.get<std::uint64_t>();
	const auto why = from.get<stack9_why>();
	const auto flags = from.get<std::uint32_t>();
	const auto dropped = from.get<std::uint32_t>();
	const char *const reason = sentence_of(from.get_text());
	const auto depth = from.get<std::uint32_t>();
	if (depth > rec.max || how < space_walk::done ||
	    how > space_walk::wants_renewal || why < STACK9_WHY_NONE ||
	    why > STACK9_WHY_AWAY)
		return false;
	const auto pcs = from.get_bytes(depth * sizeof *rec.pcs);
	if (!from.whole())
		return false;
	std::memcpy(rec.pcs, pcs.data(), pcs.size());
	rec.depth = depth;
	rec.dropped = dropped;
	rec.flags = flags & (STACK9_STACK_EXACT | STACK9_STACK_GUESSED);
	rec.why = why;
	rec.reason = reason;
	return true;
}

bool
take_texts(message &from, std::uint32_t depth, written_stack &to)
{
	const auto n = from.get<std::uint32_t>();
	const auto bytes = from.get_bytes(n * sizeof(written_frame));
	const std::string_view text = from.get_text();
	if (!from.whole() || text.empty() || text.front() != '\0' ||
	    text.back() != '\0')
		return false;
	to.frames.resize(n);
	if (n != 0)
		std::memcpy(to.frames.data(), bytes.data(), bytes.size());
	to.text = text;
	return std::all_of(to.frames.begin(), to.frames.end(),
	    [&](const written_frame &f) {
		return f.at <= depth && f.name < text.size() &&
		    f.file < text.size() && f.language < text.size();
	}) && std::is_sorted(to.frames.begin(), to.frames.end(),
	    [](const written_frame &a, const written_frame &b) {
		return a.at < b.at;
	});
}

bool
take_search(message &from, written_search &found)
{
	found = from.get<written_search>();
	return from.whole() && found >= written_search::none &&
	    found <= written_search::failed;
}

namespace {

bool
take_frames(message &from, std::uint32_t depth, written_stack &to)
{
	if (!take_texts(from, depth, to))
		return false;
	const std::string_view note = from.get_text();
	const std::string_view name = from.get_text();
	to.lock.address = from.get<std::uint64_t>();
	to.lock.word_at = from.get<std::uint64_t>();
	to.lock.owner = from.get<std::uint64_t>();
	to.lock.word = from.get<std::uint32_t>();
	to.lock.is_endless = from.get<std::uint8_t>() != 0;
	to.lock.has_no_owner = from.get<std::uint8_t>() != 0;
	to.lock.kind = from.get<written_lock::what>();
	const std::string_view object = from.get_text();
	to.chain = from.get<s9_frame_chain>();
	to.lacking = from.get<std::uint8_t>() != 0;
	to.note = note.substr(0, note.find('\0'));
	to.thread_name = name.substr(0, name.find('\0'));
	to.lock.object = object.substr(0, object.find('\0'));
	return from.whole();
}

} // namespace

// The native frames come back, because a language may have replaced them.
bool
take_written(message &from, stack_record &rec, written_stack &to,
    written_search &found)
{
	const stack_record before = rec;
	space_walk how;
	std::uint64_t wanted;
	if (!take_search(from, found))
		return false;
	if (found != written_search::done)
		return true;
	if (!take_walk(from, rec, how, wanted))
		return false;
	if (rec.why == before.why) {
		rec.reason = before.reason;
		rec.dropped = before.dropped;
	}
	return take_frames(from, rec.depth, to);
}

bool
take_tasks(message &from, written_tasks &to, written_search &found)
{
	if (!take_search(from, found))
		return false;
	if (found != written_search::done)
		return true;
	if (!take_texts(from, 0, to.stack))
		return false;
	const auto n = from.get<std::uint32_t>();
	const auto bytes = from.get_bytes(n * sizeof(written_task));
	if (!from.whole())
		return false;
	to.all.resize(n);
	if (n != 0)
		std::memcpy(to.all.data(), bytes.data(), bytes.size());
	std::uint64_t frames = 0;
	for (const written_task &t : to.all) {
		frames += t.frames;
		for (const std::uint32_t text : {t.runtime, t.name, t.state})
			if (text >= to.stack.text.size())
				return false;
	}
	return frames == to.stack.frames.size();
}

} // namespace stack9::sandbox
