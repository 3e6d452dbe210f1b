// Takes tasks as the library gives them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "found_tasks.h"

#include <string_view>

#include <fmt/format.h>

#include <stack9_coroutines.h>
#include <stack9_frames.h>

namespace {

int
take_frame_of_task(void *arg, const stack9_frame *f)
{
	auto &to = *static_cast<task *>(arg);
	BOOST_TEST(f->kind == STACK9_FRAME_WRITTEN);
	to.chain.push_back(fmt::format("{}\t{}\t{}", f->name, f->file,
	    f->line));
	return 0;
}

int
take_task(void *arg, const stack9_coroutine *c)
{
	task t;
	if (c->runtime != std::string_view("asyncio"))
		return 0;
	t.head = fmt::format("task {} {} {}", c->id, c->name, c->state);
	t.waits_for = c->waits_for;
	t.error = c->sample->user->error;
	BOOST_TEST(c->sample->user->depth == 0u);
	stack9_frames(c->sample->user, 0, take_frame_of_task, &t);
	BOOST_TEST(static_cast<all_tasks *>(arg)->try_emplace(c->id,
	    t).second);
	return 0;
}

} // namespace

int
find(pid_t pid, all_tasks &to, unsigned int flags, stack9_space *space)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = flags;
	o.space = space;
	const stack9_thread td{pid, pid, 0};
	return stack9_coroutines(&td, &o, take_task, &to);
}
