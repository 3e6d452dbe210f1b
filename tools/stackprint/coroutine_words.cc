// Names goroutines and tasks for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "coroutines.h"

#include <algorithm>

#include "tools/lib/text.h"
#include "tools/lib/words.h"

namespace stackprint {

using stack9::text::printable;

const char *
word_of(const coroutine_group &g)
{
	return g.is_tasks() ? "task" : "goroutine";
}

std::string
name_of(const coroutine_group &g, const coroutine_group::member &m)
{
	return !g.is_tasks() ? fmt::format("goroutine {}", m.id) :
	    m.name.empty() ? fmt::format("task {:#x}", m.id) :
	    "task " + printable(m.name);
}

std::string
waits_for_text(const coroutine_group &g)
{
	const coroutine_group::member &first = g.all.front();
	for (const coroutine_group::member &m : g.all)
		if (m.waits_for != first.waits_for)
			return {};
	return first.waits_for_name.empty() ? "" : " " +
	    printable(first.waits_for_name);
}

void
put_names(fmt::memory_buffer &out, const coroutine_group &g, bool few)
{
	constexpr std::size_t most = 60;
	std::string line;
	std::size_t n = 0;
	for (const coroutine_group::member &m : g.all) {
		const std::string name = m.name.empty() ?
		    fmt::format("{:#x}", m.id) : printable(m.name);
		if (few && n != 0 && line.size() + name.size() > most)
			break;
		line += (n++ == 0 ? "" : ", ") + name;
	}
	append(out, "  tasks   {}", line);
	if (n < g.all.size())
		append(out, ", and {} more", g.all.size() - n);
	append(out, "\n");
}

} // namespace stackprint
