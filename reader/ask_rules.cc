// Asks the reader for a walk, for the rules of a stack's frames, or for those
// of a stretch of code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "questions.h"
#include "walk_message.h"

namespace stack9::sandbox {

bool
ask_walk(connection &by, stack9_space &space, const user_copy &copy,
    stack_record &rec, space_walk &how, std::uint64_t &wanted)
{
	const stack9_thread whose = rec.thread.tid > 0 ? rec.thread :
	    space.thread();
	by.finish_others();
	if (!by.is_there_for(space) || !by.send_copy(copy))
		return false;
	message &m = by.question(kind::walk, &space);
	m.put(rec.thread);
	m.put(rec.flags);
	m.put(rec.max);
	return by.ask(whose) && take_walk(by.answer(), rec, how, wanted);
}

bool
ask_rules(connection &by, stack9_space &space, const std::uintptr_t *pcs,
    std::uint32_t n, std::uint32_t *rules)
{
	by.finish_others();
	if (!by.is_there_for(space))
		return false;
	message &m = by.question(kind::rules, &space);
	m.put(n);
	m.put_bytes(pcs, n * sizeof *pcs);
	if (!by.ask(space.thread()))
		return false;
	const auto all = by.answer().get_bytes(n * sizeof *rules);
	if (!by.answer().whole())
		return false;
	std::memcpy(rules, all.data(), all.size());
	return true;
}

bool
ask_code_rules(connection &by, stack9_space &space, std::uintptr_t from,
    std::uint32_t size, std::vector<rule_run> &to)
{
	by.finish_others();
	if (!by.is_there_for(space))
		return false;
	message &m = by.question(kind::code_rules, &space);
	m.put(std::uint64_t{from});
	m.put(size);
	if (!by.ask(space.thread()))
		return false;
	const bool answered = by.answer().get<bool>();
	const auto n = by.answer().get<std::uint32_t>();
	const auto all = by.answer().get_bytes(n * sizeof to[0]);
	if (!answered || !by.answer().whole())
		return false;
	to.resize(n);
	if (n != 0)
		std::memcpy(to.data(), all.data(), all.size());
	return true;
}

} // namespace stack9::sandbox
