// Asks each thread, stack and frame once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wanted.h"

#include <algorithm>

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
	return (opt_.tids.empty() || std::find(opt_.tids.begin(),
	    opt_.tids.end(), t.tid) != opt_.tids.end()) &&
	    opt_.wants(p.pid, p.cgroup) &&
	    (opt_.comm.empty() || t.comm == opt_.comm.substr(0, 15));
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
