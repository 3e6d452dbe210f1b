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

wanted::wanted(const options &o) : opt_(o), stack_(o.stack) {}

void
wanted::begin()
{
	threads_.clear();
	stacks_.clear();
	frames_.clear();
	waits_.clear();
	events_.clear();
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
			k = stack_.is_in(fr.name) ||
			    stack_.is_in(fr.readable) ?
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
wanted::waits(const recording::segment &s, const recording::thread_state &now)
{
	const recording::wait *const w = s.wait_of(now);
	if (w == nullptr)
		return false;
	known &k = place_in(waits_, now.wait);
	if (k == known::not_yet)
		k = w->kind == opt_.wait || w->call == opt_.wait ?
		    known::yes : known::no;
	return k == known::yes;
}

bool
wanted::stacks(const recording::segment &s, std::uint32_t kernel,
    std::uint32_t user)
{
	return opt_.stack.empty() || matches(s, kernel) || matches(s, user);
}

bool
wanted::state(const recording::segment &s, const recording::thread_state &now)
{
	const bool runs = now.state == 'R';
	return (opt_.states.empty() ||
	    opt_.states.find(now.state) != opt_.states.npos) &&
	    (runs ? !opt_.off_cpu : !opt_.on_cpu) &&
	    (opt_.wait.empty() || waits(s, now)) &&
	    stacks(s, now.kernel, now.user);
}

// Its name, or what is before the parameter, as cpu-clock of cpu-clock:99.
bool
wanted::event(const recording::segment &s, std::uint32_t number)
{
	known &k = place_in(events_, number);
	const std::string &name = s.events()[number - 1].name;
	if (k == known::not_yet)
		k = name == opt_.event || name.starts_with(opt_.event + ":") ?
		    known::yes : known::no;
	return k == known::yes;
}

} // namespace stackreport
