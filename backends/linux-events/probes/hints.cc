// Completes names.  Only tracefs has the category of a tracepoint.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "hints.h"

#include <utility>

#include "bpf/tracefs.h"
#include "near_names.h"
#include "syscalls.h"

namespace stack9::events {
namespace {

std::string
label(const unique_fd &root, const std::string &name)
{
	const std::string category = bpf::category_below(root, name);
	return tracepoint_prefix + (category.empty() ? "" : category + ":") +
	    name;
}

} // namespace

std::string
question(const near_names &near)
{
	const unique_fd root = bpf::root_of_tracefs();
	std::string list;
	for (const near_names::one &n : near.nearest())
		list += (list.empty() ? "" : ", ") +
		    (n.prefix == tracepoint_prefix ? label(root, n.name) :
		    n.prefix + n.name);
	return list.empty() ? "" : "; did you mean " + list + "?";
}

std::string
call_of_tracepoint(const std::string &name)
{
	constexpr std::pair<const char *, const char *> kinds[] = {
	    {"sys_enter_", "syscall:"}, {"sys_exit_", "sysret:"}};
	for (const auto &[begin, event] : kinds) {
		const std::string prefix(begin);
		const std::string call = name.starts_with(prefix) ?
		    name.substr(prefix.size()) : "";
		if (!call.empty() && syscall_number(call) >= 0)
			return event + call;
	}
	return {};
}

std::string
tracepoint_label(const std::string &name)
{
	return label(bpf::root_of_tracefs(), name);
}

} // namespace stack9::events
