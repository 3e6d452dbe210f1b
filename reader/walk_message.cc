// Writes walks, and the frames of languages.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk_message.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace stack9::sandbox {
namespace {

void
put_texts(const written_stack &found, message &to)
{
	to.put(static_cast<std::uint32_t>(found.frames.size()));
	to.put_bytes(found.frames.data(),
	    found.frames.size() * sizeof found.frames[0]);
	to.put_text(found.text);
}

} // namespace

void
put_walk(const stack_record &rec, space_walk how, std::uint64_t wanted,
    message &to)
{
	to.put(how);
	to.put(wanted);
	to.put(rec.why);
	to.put(rec.flags);
	to.put(rec.dropped);
	to.put_text(rec.reason != nullptr ? rec.reason : "");
	to.put(rec.depth);
	to.put_bytes(rec.pcs, rec.depth * sizeof *rec.pcs);
}

void
put_written(stack9_space &space, const user_copy &copy, message &question,
    written_stack &found, message &to)
{
	stack_record rec{};
	rec.thread = question.get<stack9_thread>();
	written_question asked;
	asked.thread_pointer = question.get<std::uint64_t>();
	asked.moment = question.get<std::uint64_t>();
	asked.at_event = question.get<std::uint8_t>() != 0;
	const auto reported_bytes = question.get_bytes(
	    question.get<std::uint32_t>() * sizeof(std::uint64_t));
	std::vector<std::uint64_t> reported(reported_bytes.size() /
	    sizeof(std::uint64_t));
	if (!reported_bytes.empty())
		std::memcpy(reported.data(), reported_bytes.data(),
		    reported_bytes.size());
	asked.reported = reported;
	rec.flags = question.get<std::uint32_t>();
	rec.why = question.get<stack9_why>();
	rec.max = question.get<std::uint32_t>();
	rec.depth = question.get<std::uint32_t>();
	const auto pcs = question.get_bytes(rec.depth * sizeof *rec.pcs);
	std::vector<std::uintptr_t> own(std::max(rec.max, rec.depth));
	rec.pcs = own.data();
	if (!pcs.empty())
		std::memcpy(rec.pcs, pcs.data(), pcs.size());
	put_written(space, copy, asked, rec, found, to);
}

void
put_written(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &found,
    message &to)
{
	const written_search how = walk_written(space, copy, asked, rec,
	    found);
	to.put(how);
	if (how != written_search::done)
		return;
	put_walk(rec, space_walk::done, 0, to);
	put_texts(found, to);
	to.put_text(found.note);
	to.put_text(found.thread_name);
	to.put(found.lock.address);
	to.put(found.lock.word_at);
	to.put(found.lock.owner);
	to.put(found.lock.word);
	to.put(std::uint8_t{found.lock.is_endless});
	to.put(std::uint8_t{found.lock.has_no_owner});
	to.put(found.lock.kind);
	to.put_text(found.lock.object);
	to.put(found.chain);
	to.put(std::uint8_t{found.lacking});
}

void
put_tasks(stack9_space &space, message &to)
{
	written_tasks found;
	const written_search how = find_tasks(space, found);
	to.put(how);
	if (how != written_search::done)
		return;
	put_texts(found.stack, to);
	to.put(static_cast<std::uint32_t>(found.all.size()));
	to.put_bytes(found.all.data(), found.all.size() * sizeof found.all[0]);
}

} // namespace stack9::sandbox
