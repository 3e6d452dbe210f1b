// Asks each thread, stack and frame once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wanted.h"

#include <algorithm>

#include "tools/lib/cgroups.h"

namespace stackreport {
namespace {

template <class Known>
Known &
place_in(std::vector<Known> &all, std::uint32_t number)
{
	if (number > all.size())
		all.resize(std::max<std::size_t>(number, all.size() * 2));
	return all[number - 1];
}

template <class Number>
bool
is_among(const std::vector<Number> &all, Number one)
{
	return all.empty() ||
	    std::find(all.begin(), all.end(), one) != all.end();
}

// /sys/fs/cgroup/system.slice and /system.slice are the same.
bool
is_below(const std::string &path, std::string dir)
{
	constexpr std::string_view top = "/sys/fs/cgroup";
	if (dir.starts_with(top))
		dir.erase(0, top.size());
	while (dir.ends_with("/"))
		dir.pop_back();
	return path.starts_with(dir) && (path.size() == dir.size() ||
	    path[dir.size()] == '/');
}

} // namespace

wanted::wanted(const options &o) : opt_(o)
{
	if (!o.stack.empty())
		stack_.emplace(o.stack, std::regex::extended |
		    std::regex::nosubs | std::regex::optimize);
}

void
wanted::begin()
{
	threads_.clear();
	stacks_.clear();
	frames_.clear();
}

void
wanted::forget(std::uint32_t thread)
{
	place_in(threads_, thread) = known::not_yet;
}

bool
wanted::ask(const recording::segment &s, std::uint32_t thread) const
{
	const recording::thread &t = s.thread_of(thread);
	const recording::process &p = s.process_of(thread);
	return is_among(opt_.pids, p.pid) && is_among(opt_.tids, t.tid) &&
	    (opt_.comm.empty() || t.comm == opt_.comm.substr(0, 15)) &&
	    (opt_.cgroup.empty() || is_below(p.cgroup, opt_.cgroup)) &&
	    (opt_.unit.empty() ||
	    stackprint::is_path_of_unit(p.cgroup, opt_.unit)) &&
	    (opt_.container.empty() ||
	    stackprint::is_path_of_container(p.cgroup, opt_.container));
}

bool
wanted::thread(const recording::segment &s, std::uint32_t number)
{
	known &k = place_in(threads_, number);
	if (k == known::not_yet)
		k = ask(s, number) ? known::yes : known::no;
	return k == known::yes;
}

bool
wanted::ask_stack(const recording::segment &s, std::uint32_t stack)
{
	for (const std::uint32_t f : s.stack_of(stack).frames) {
		known &k = place_in(frames_, f);
		if (k == known::not_yet) {
			const recording::frame &fr = s.frame_of(f);
			k = std::regex_search(fr.name, *stack_) ||
			    std::regex_search(fr.readable, *stack_) ?
			    known::yes : known::no;
		}
		if (k == known::yes)
			return true;
	}
	return false;
}

bool
wanted::matches(const recording::segment &s, std::uint32_t stack)
{
	if (stack == 0)
		return false;
	known &k = place_in(stacks_, stack);
	if (k == known::not_yet)
		k = ask_stack(s, stack) ? known::yes : known::no;
	return k == known::yes;
}

bool
wanted::state(const recording::segment &s, const recording::thread_state &now)
{
	return (opt_.states.empty() ||
	    opt_.states.find(now.state) != opt_.states.npos) &&
	    (!stack_.has_value() || matches(s, now.kernel) ||
	    matches(s, now.user));
}

} // namespace stackreport
