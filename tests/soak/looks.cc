// Looks at a program by the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "looks.h"

#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <stack9.h>
#include <stack9_settings.h>
#include <stack9_waits.h>

#include "programs.h"

namespace soak {
namespace {

struct closer {
	void operator()(stack9_sample *s) const { stack9_sample_close(s); }
};
using sample = std::unique_ptr<stack9_sample, closer>;

int
keep(void *arg, const stack9_sample *s)
{
	static_cast<std::vector<sample> *>(arg)->emplace_back(
	    stack9_sample_hold(s));
	return 0;
}

int
add(void *arg, const stack9_wait *w)
{
	said_wait &t = static_cast<std::vector<said_wait> *>(arg)->
	    emplace_back();
	t.tid = w->sample->thread.tid;
	t.pid = w->sample->thread.pid;
	t.kind = stack9_wait_text(w->kind);
	t.address = w->address;
	t.object = w->object;
	t.reason = w->reason;
	t.moved = (w->flags & STACK9_WAIT_MOVED) != 0;
	for (std::uint32_t i = 0; i < w->holders; i++)
		t.holders.push_back({w->holder[i].thread.tid,
		    w->holder[i].thread.pid});
	return 0;
}

void
judge_stack(judge &j, const stack9_sample &s, span at)
{
	if (s.user == nullptr || s.user->pcs == nullptr)
		return;
	reported_stack t;
	t.tid = s.thread.tid;
	t.complete = s.user->error == 0 && s.user->why == STACK9_WHY_NONE &&
	    s.user->dropped == 0;
	t.pcs.assign(s.user->pcs, s.user->pcs + s.user->depth);
	j.of_stack(t, at);
}

// All threads in one pass, or each by itself.
std::vector<sample>
capture(const std::vector<pid_t> &pids, ledger &l, int sides, bool in_pass)
{
	std::vector<sample> all;
	for (const pid_t pid : pids) {
		const stack9_thread td{pid, pid, 0};
		if (in_pass)
			stack9_each(&td, sides, nullptr, keep, &all);
	}
	for (int i = 0; !in_pass && i < l.actor_count; i++) {
		stack9_sample *s = nullptr;
		stack9_thread td{};
		if (stack9_thread_find(l.actors[i].tid.load(), &td) == 0 &&
		    stack9_save(&td, sides, nullptr, &s) == 0)
			all.emplace_back(s);
		else
			stack9_sample_close(s);
	}
	return all;
}

struct way {
	const char	*name, *routes;
	int		 sides;
	bool		 in_pass;
};

constexpr way by_library[] = {
	{"pass", "", STACK9_BOTH, true},
	{"pass of user stacks", "", STACK9_USER, true},
	{"pass of kernel stacks", "", STACK9_KERNEL, true},
	{"one by one", "", STACK9_BOTH, false},
	{"pass without BPF", "procfs", STACK9_BOTH, true},
	{"one by one without BPF", "procfs", STACK9_USER, false},
	{"one by one with stop", "ptrace", STACK9_USER, false},
	{"pass with stop", "ptrace", STACK9_BOTH, true},
};

void
look_by_library(const way &w, ledger &l, const std::vector<pid_t> &pids,
    tally &t)
{
	judge j(l, t, w.name);
	span s{now_ns(), 0};
	stack9_force(w.routes);
	const std::vector<sample> all = capture(pids, l, w.sides, w.in_pass);
	const span stacks{s.begin, now_ns()};
	std::vector<const stack9_sample *> samples;
	for (const sample &one : all)
		samples.push_back(one.get());
	std::vector<said_wait> told;
	stack9_waits(samples.data(), static_cast<std::uint32_t>(
	    samples.size()), 0, add, &told);
	s.end = now_ns();
	stack9_force("");
	for (const sample &one : all)
		judge_stack(j, *one, stacks);
	for (const said_wait &one : told)
		j.of_wait(one, s);
}

} // namespace

unsigned int
ways()
{
	return std::size(by_library) + program_ways();
}

void
look(unsigned int n, ledger &l, const std::vector<pid_t> &pids, tally &t)
{
	if (n < std::size(by_library))
		look_by_library(by_library[n], l, pids, t);
	else
		look_by_program(n - static_cast<unsigned int>(
		    std::size(by_library)), l, pids, t);
}

} // namespace soak
