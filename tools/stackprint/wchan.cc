// Finds the function a sleeper waits in: the first thing to know of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "printer.h"

#include <cstring>
#include <string_view>

#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

// Gives the innermost function that is not the scheduler's, or "" if none has a
// name.
std::string
innermost(const stack &s, names &all)
{
	for (const std::string_view line : s.text)
		if (!is_scheduler(line))
			return std::string(line.substr(0, line.find('+')));
	for (std::uint32_t i = 0; i < s.pcs.size(); i++) {
		const place &p = all.find(s, i);
		const std::string &name = linkage_of(p.own());
		if (p.known() && !is_scheduler(name))
			return name;
	}
	return {};
}

} // namespace

// Without a stack the kernel may still name the function, but only for the
// caller's rights, not for those of this file.
std::string
wchan_of(const sample &s, const view &how)
{
	if (!s.kernel.has_value() || std::strchr("SDI", s.state) == nullptr)
		return {};
	if (s.kernel->error == 0)
		return innermost(*s.kernel, how.all);
	return how.borrowed ? std::string() : wchan(s.thread.tid);
}

} // namespace stackprint
