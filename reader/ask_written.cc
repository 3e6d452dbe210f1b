// Asks the reader for frames of languages: on a copied stack, and of tasks that
// no thread runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "questions.h"
#include "walk_message.h"

namespace stack9::sandbox {

bool
ask_written(connection &by, stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to,
    written_search &found)
{
	by.finish_others();
	if (!by.is_there_for(space) || !by.send_copy(copy))
		return false;
	message &m = by.question(kind::written, &space);
	m.put(rec.thread);
	m.put(asked.thread_pointer);
	m.put(asked.moment);
	m.put(std::uint8_t{asked.at_event});
	m.put(static_cast<std::uint32_t>(asked.reported.size()));
	m.put_bytes(asked.reported.data(), asked.reported.size_bytes());
	m.put(rec.flags);
	m.put(rec.why);
	m.put(rec.max);
	m.put(rec.depth);
	m.put_bytes(rec.pcs, rec.depth * sizeof *rec.pcs);
	return by.ask(rec.thread.tid > 0 ? rec.thread : space.thread()) &&
	    take_written(by.answer(), rec, to, found);
}

bool
ask_tasks(connection &by, stack9_space &space, written_tasks &to,
    written_search &found)
{
	by.finish_others();
	if (!by.is_there_for(space))
		return false;
	by.question(kind::tasks, &space);
	return by.ask(space.thread()) && take_tasks(by.answer(), to, found);
}

} // namespace stack9::sandbox
