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
innermost(const stack9_stack &s, names &all)
{
	for (std::uint32_t i = 0; i < s.depth; i++) {
		if (s.pcs == nullptr) {
			const std::string_view line = s.text[i];
			if (!is_scheduler(line))
				return std::string(line.substr(0,
				    line.find('+')));
			continue;
		}
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
wchan_of(const stack9_sample &s, const view &how)
{
	if (s.kernel == nullptr || std::strchr("SDI", s.state) == nullptr)
		return {};
	if (s.kernel->error == 0)
		return innermost(*s.kernel, how.all);
	return how.borrowed ? std::string() : wchan(s.thread.tid);
}

} // namespace stackprint
