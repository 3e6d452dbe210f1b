// Adds the frames of languages' runtimes to a stack that was walked.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <new>

#include "core/seam/reader.h"
#include "core/seam/space.h"
#include "languages/runtime.h"

#include "code.h"
#include "memory.h"
#include "pass_memory.h"
#include "present_memory.h"

namespace stack9 {
namespace {

written_search
walk_here(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to)
{
	if (copy.what != user_copy::machine::native)
		return written_search::none;
	const stack9_thread &who = rec.thread.tid > 0 ? rec.thread :
	    space.thread();
	remote::copied_memory constant(space, copy, who);
	remote::remote_code code(space, constant);
	auto &of = languages::kept_with<remote::kept_memory>(space);
	remote::pass_memory::use pass(
	    languages::kept_with<remote::pass_memory>(space), asked.moment);
	remote::present_memory words(copy, who, kept_process_of(who.start) ==
	    nullptr && of.begin_walk(space.number(), who) ? &of : nullptr,
	    pass.pages());
	return languages::add_written({space, who, copy, words, code, asked,
	    rec}, to) ? written_search::done :
	    written_search::none;
}

written_search
tasks_here(stack9_space &space, written_tasks &to)
{
	const user_copy none;
	const written_question asked;
	stack_record rec{};
	remote::copied_memory constant(space, none, space.thread());
	remote::remote_code code(space, constant);
	remote::present_memory words(none, space.thread());
	return languages::add_tasks({space, space.thread(), none, words, code,
	    asked, rec}, to) ? written_search::done : written_search::none;
}

} // namespace

bool
is_silent(const stack9_space &space) noexcept
{
	return space.is_silent();
}

written_search
walk_written(stack9_space &space, const user_copy &copy,
    const written_question &asked, stack_record &rec, written_stack &to)
    noexcept
try {
	const std::uint64_t number = space.number();
	reader *const r = the_unwinder();
	to.clear();
	const written_search found = r != nullptr ?
	    r->written(space, copy, asked, rec, to) :
	    walk_here(space, copy, asked, rec, to);
	if (found == written_search::none)
		space.note_silent(number);
	return found;
} catch (const std::bad_alloc &) {
	return written_search::failed;
}

written_search
find_tasks(stack9_space &space, written_tasks &to) noexcept
try {
	const std::uint64_t number = space.number();
	reader *const r = the_unwinder();
	to.clear();
	const written_search found = r != nullptr ? r->tasks(space, to) :
	    tasks_here(space, to);
	if (found == written_search::none)
		space.note_silent(number);
	return found;
} catch (const std::bad_alloc &) {
	return written_search::failed;
}

} // namespace stack9
