// Compares waits with what the threads of a scene know.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "check.h"

#include <algorithm>

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "victim.h"

int
add_wait(void *arg, const stack9_wait *w)
{
	found f{w->kind, w->flags, w->reason, w->object, w->place,
	    w->left_ns, w->address, {}, w->call, w->idle_ns};
	for (std::uint32_t i = 0; i < w->holders; i++)
		f.holders.push_back(w->holder[i].thread.tid);
	static_cast<all_found *>(arg)->emplace(w->sample->thread.tid, f);
	return 0;
}

// The waits of all threads of these processes.
all_found
waits_of(const std::vector<pid_t> &pids)
{
	std::vector<stack9_sample *> samples;
	all_found all;
	for (const pid_t pid : pids) {
		const stack9_thread td{pid, pid, 0};
		BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_BOTH, nullptr,
		    lib::hold_sample, &samples), 0);
	}
	BOOST_REQUIRE_EQUAL(stack9_waits(samples.data(),
	    static_cast<std::uint32_t>(samples.size()), 0, add_wait, &all), 0);
	for (stack9_sample *const s : samples)
		stack9_sample_close(s);
	return all;
}

namespace {

// Says how a thread's wait differs from what is known; "": it does not.
std::string
difference(const stage &s, const actor &a, const all_found &all)
{
	const auto it = all.find(a.tid);
	if (it == all.end())
		return fmt::format("{} is missing", a.tid);
	const found &f = it->second;
	std::string text;
	if (a.kind >= 0 && f.kind != a.kind)
		text = fmt::format("tid {}: {} in place of {} ({})", a.tid,
		    stack9_wait_text(f.kind), stack9_wait_text(a.kind),
		    f.reason);
	std::vector<pid_t> holders;
	if (a.holder >= 0)
		holders.push_back(a.by_process ? s.actors[a.holder].pid :
		    s.actors[a.holder].tid);
	if (f.holders != holders)
		text += fmt::format("tid {}: {} holders, first {} ({})", a.tid,
		    f.holders.size(), f.holders.empty() ? 0 : f.holders[0],
		    f.reason);
	return text;
}

// Returns true if all actors sleep where they were 10 ms ago.  One that has
// begun may still wait for a lock on its way.
bool
sleeps(const stage &s)
{
	std::vector<std::uint64_t> first;
	for (int i = 0; i < s.count; i++)
		first.push_back(switches_in_proc(s.actors[i].tid));
	usleep(10000);
	for (int i = 0; i < s.count; i++)
		if (state_of(s.actors[i].tid) == 'R' || first[
		    static_cast<std::size_t>(i)] != switches_in_proc(
		    s.actors[i].tid))
			return false;
	return true;
}

} // namespace

std::vector<pid_t>
processes_of(scene &of)
{
	const stage &s = of.get();
	std::vector<pid_t> pids{of.pid()};
	for (int i = 0; i < s.count; i++)
		if (s.actors[i].pid != 0 && std::find(pids.begin(),
		    pids.end(), s.actors[i].pid) == pids.end())
			pids.push_back(s.actors[i].pid);
	return pids;
}

all_found
check_scene(scene &of)
{
	const stage &s = of.get();
	const std::vector<pid_t> pids = processes_of(of);
	std::string wrong;
	all_found all;
	int others = 0;
	wait_until([&] { return sleeps(s); });
	do {
		all = waits_of(pids);
		wrong.clear();
		for (int i = 0; i < s.count; i++)
			wrong += difference(s, s.actors[i], all);
		// Faults of another program's userfaultfd hide whose ours are.
	} while (wrong.find("several userfaultfds") != wrong.npos &&
	    others++ < 3000 && usleep(20000) == 0);
	BOOST_TEST(wrong == "");
	return all;
}
