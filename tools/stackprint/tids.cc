// Joins thread ids to runs and wraps them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "groups.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "columns.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

constexpr std::size_t line_width = 80;
constexpr int most_lines = 3;

// Two in a row are shorter to read as two.
std::vector<std::string>
runs_of(std::vector<std::uint64_t> tids)
{
	std::sort(tids.begin(), tids.end());
	std::vector<std::string> runs;
	for (std::size_t i = 0, end; i < tids.size(); i = end) {
		for (end = i + 1; end < tids.size() &&
		     tids[end] == tids[end - 1] + 1; end++)
			;
		if (end - i > 2) {
			runs.push_back(fmt::format("{}-{}", tids[i],
			    tids[end - 1]));
			continue;
		}
		for (; i < end; i++)
			runs.push_back(std::to_string(tids[i]));
	}
	return runs;
}

} // namespace

void
put_tids(fmt::memory_buffer &out, const std::vector<thread_facts> &all,
    bool few)
{
	std::vector<std::uint64_t> tids;
	for (const thread_facts &m : all)
		tids.push_back(static_cast<std::uint64_t>(m.thread.tid));
	put_ids(out, "  tids    ", tids, few);
}

void
put_ids(fmt::memory_buffer &out, std::string_view first,
    const std::vector<std::uint64_t> &ids, bool few)
{
	std::string line(first);
	bool empty = true;
	const std::vector<std::string> runs = runs_of(ids);
	int lines = 1;
	for (const std::string &run : runs) {
		if (!empty && line.size() + 1 + run.size() > line_width) {
			if (few && ++lines > most_lines) {
				line += " ...";
				break;
			}
			append_text(out, line + "\n");
			line = margin;
			empty = true;
		}
		line += (empty ? "" : " ") + run;
		empty = false;
	}
	append_text(out, line + "\n");
}

} // namespace stackprint
