// Finds the function a sleeper waits in, which is the first thing to know of
// it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "printer.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

// Gives the innermost function that is not the scheduler's, or "" if none has a
// name.
std::string
innermost(const stack9_record &rec, names &kernel)
{
	if (rec.flags & STACK9_TEXT) {
		for (const std::string_view line : lines_of(rec))
			if (!is_scheduler(line))
				return std::string(
				    line.substr(0, line.find('+')));
		return {};
	}
	for (std::uint32_t i = 0; i < rec.depth; i++) {
		const place &p = kernel.find(rec.pcs[i], is_exact(rec, i));
		if (p.known && !is_scheduler(p.function))
			return p.function;
	}
	return {};
}

} // namespace

std::vector<std::string_view>
lines_of(const stack9_record &rec)
{
	std::vector<std::string_view> lines;
	std::string_view rest = rec.text;
	while (!rest.empty() && lines.size() < rec.depth) {
		const auto end = std::min(rest.find('\n'), rest.size());
		lines.push_back(rest.substr(0, end));
		rest.remove_prefix(std::min(end + 1, rest.size()));
	}
	return lines;
}

// Without a stack the kernel may still name the function, but only for the
// caller's rights, not for those of this file.
std::string
wchan_of(const stacks &s, const view &how)
{
	const stack9_record &who = s.who();
	if (s.kernel == nullptr || std::strchr("SDI", who.state) == nullptr)
		return {};
	if (s.kernel->error == 0)
		return innermost(*s.kernel, how.kernel);
	return how.borrowed ? std::string() : wchan(who.thread.tid);
}

} // namespace stackprint
