// Asks another process for the frames of languages on a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <system_error>

#include "services.h"
#include "walk_message.h"

namespace stack9::apart {

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
	to.lock.is_interpreter = from.get<std::uint8_t>() != 0;
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
client::take_written(stack_record &rec, written_stack &to,
    written_search &found)
{
	const stack_record before = rec;
	space_walk how;
	std::uint64_t wanted;
	if (!take_search(in_, found))
		return false;
	if (found != written_search::done)
		return true;
	if (!take_walk(rec, how, wanted))
		return false;
	if (rec.why == before.why) {
		rec.reason = before.reason;
		rec.dropped = before.dropped;
	}
	return take_frames(in_, rec.depth, to);
}

bool
client::try_written(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to,
    written_search &found)
{
	was_killed_ = false;
	await_walks();
	if (!is_there_for(space))
		return false;
	if (!send(copy)) {
		give_up();
		return false;
	}
	message &m = begin(kind::written, &space);
	m.put(rec.thread);
	m.put(asked.thread_pointer);
	m.put(std::uint8_t{asked.at_event});
	m.put(static_cast<std::uint32_t>(asked.told.size()));
	m.put_bytes(asked.told.data(), asked.told.size_bytes());
	m.put(rec.flags);
	m.put(rec.why);
	m.put(rec.max);
	m.put(rec.depth);
	m.put_bytes(rec.pcs, rec.depth * sizeof *rec.pcs);
	return ask(rec.thread.tid > 0 ? rec.thread : space.thread()) &&
	    take_written(rec, to, found);
}

written_search
client::written(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to)
    noexcept
try {
	const std::lock_guard hold(lock_);
	written_search found = written_search::failed;
	if (!try_written(space, copy, asked, rec, to, found) &&
	    !(once_more() && try_written(space, copy, asked, rec, to, found)))
		return written_search::failed;
	return found;
} catch (const std::bad_alloc &) {
	return written_search::failed;
} catch (const std::system_error &) {	// from a mutex
	return written_search::failed;
}

} // namespace stack9::apart
