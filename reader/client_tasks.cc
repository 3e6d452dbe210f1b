// Asks another process for the tasks of languages that no thread runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <cstring>
#include <new>
#include <system_error>

#include "services.h"
#include "walk_message.h"

namespace stack9::apart {

bool
client::take_tasks(written_tasks &to, written_search &found)
{
	if (!take_search(in_, found))
		return false;
	if (found != written_search::done)
		return true;
	if (!take_texts(in_, 0, to.stack))
		return false;
	const auto n = in_.get<std::uint32_t>();
	const auto bytes = in_.get_bytes(n * sizeof(written_task));
	if (!in_.whole())
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

bool
client::try_tasks(stack9_space &space, written_tasks &to,
    written_search &found)
{
	was_killed_ = false;
	await_walks();
	if (!is_there_for(space))
		return false;
	begin(kind::tasks, &space);
	return ask(space.thread()) && take_tasks(to, found);
}

written_search
client::tasks(stack9_space &space, written_tasks &to) noexcept
try {
	const std::lock_guard hold(lock_);
	written_search found = written_search::failed;
	if (!try_tasks(space, to, found) &&
	    !(once_more() && try_tasks(space, to, found)))
		found = written_search::failed;
	if (found != written_search::done)
		to.clear();
	return found;
} catch (const std::bad_alloc &) {
	return written_search::failed;
} catch (const std::system_error &) {	// from a mutex
	return written_search::failed;
}

} // namespace stack9::apart
