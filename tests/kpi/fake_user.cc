// Copies scripted stacks: a word of stack for each frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "fake_user.h"

#include <algorithm>
#include <cstring>

namespace fake {
namespace {

using stack9::lead;
using stack9::sides;
using stack9::user_copy;

constexpr std::uint64_t stack_at = 0x7000;

int
refuse(stack9::stack_record &rec, int error, stack9_why why)
{
	rec.why = why;
	return error;
}

void
fill(const user_thread &t, std::size_t words, user_copy &copy)
{
	const std::size_t n = std::min(words, t.pcs.size());
	copy.stack.at = stack_at;
	copy.stack.bytes.resize(n * sizeof t.pcs[0]);
	std::memcpy(copy.stack.bytes.data(), t.pcs.data(),
	    n * sizeof t.pcs[0]);
	copy.stack.more = n < t.pcs.size();
}

void
fill_kernel(pid_t tid, stack9::stack_record &rec)
{
	const auto at = now.threads.find(tid);
	if (at == now.threads.end()) {
		rec.error = refuse(rec, EAGAIN, STACK9_WHY_USER_MODE);
		return;
	}
	rec.depth = static_cast<std::uint32_t>(
	    std::min<std::size_t>(at->second.pcs.size(), rec.max));
	std::copy_n(at->second.pcs.begin(), rec.depth, rec.pcs);
}

// One look: its error, or the copy.
int
look(pid_t tid, user_thread &t, sides &s, lead *l, bool on_cpu)
{
	if (t.refuses != 0)
		return refuse(s.user, t.refuses, t.why);
	if (t.tries > 0 && --t.tries == 0)
		t.doing = mode::sleeping;
	switch (t.doing) {
	case mode::zombie:
		return refuse(s.user, ESRCH, STACK9_WHY_ZOMBIE);
	case mode::torn:
		return refuse(s.user, EAGAIN, STACK9_WHY_TORN);
	case mode::moving:
		if (on_cpu)
			return refuse(s.user, EAGAIN, STACK9_WHY_MOVED);
		[[fallthrough]];
	case mode::in_user:
	case mode::in_kernel:
		if (on_cpu)
			break;
		if (l != nullptr)
			l->cpu = 1;
		return refuse(s.user, EAGAIN, STACK9_WHY_ON_CPU);
	case mode::sleeping:
		break;
	}
	if (on_cpu && l->cpu != 1)
		return EINVAL;		// no lead: a fault of the caller
	fill(t, t.piece != 0 ? t.piece : t.pcs.size(), s.copy);
	if (s.kernel != nullptr)
		fill_kernel(tid, *s.kernel);
	return 0;
}

int
copy_thread(const stack9_thread &td, sides &s, lead &l, bool on_cpu)
{
	const auto at = now.users.find(td.tid);
	if (at == now.users.end())
		return refuse(s.user, ESRCH, STACK9_WHY_GONE);
	if (td.start != 0 && td.start != at->second.start)
		return refuse(s.user, ESRCH, STACK9_WHY_REUSED);
	return look(td.tid, at->second, s, &l, on_cpu);
}

} // namespace

bool
user_route::stops() const noexcept
{
	return now.second_stops && this == &user_second;
}

int
user_route::copy(const stack9_thread &td, sides &s, lead &l) noexcept
{
	now.asked.emplace_back(name);
	if (this == &user_first && now.refusals > 0) {
		now.refusals--;
		s.user.reason = "scripted";
		return now.refused_with;
	}
	return copy_thread(td, s, l, false);
}

int
user_running_route::copy(const stack9_thread &td, sides &s, const lead &l)
    noexcept
{
	now.asked.emplace_back(name);
	lead own = l;
	return copy_thread(td, s, own, true);
}

template <class Interface>
int
scripted_copies<Interface>::extend_copy(const stack9_thread &td,
    user_copy &copy, std::uint64_t wanted) noexcept
{
	now.asked.emplace_back(std::string(this->name) + "+");
	user_thread &t = now.users.at(td.tid);
	if (!now.more)
		return EOPNOTSUPP;
	if (t.runs_on > 0) {
		t.runs_on--;
		return EAGAIN;
	}
	const std::size_t words = copy.stack.bytes.size() / sizeof t.pcs[0];
	if (!copy.stack.more || wanted != stack_at + words * sizeof t.pcs[0])
		return EFAULT;
	fill(t, words * 2, copy);
	return 0;
}

int
user_pass_route::each_copy(pid_t pid, bool kernel, stack9::sides_sink to,
    void *arg) noexcept
{
	now.asked.emplace_back(name);
	for (auto &[tid, t] : now.users) {
		if (pid != 0 && t.pid != pid)
			continue;
		std::uintptr_t pcs[64];
		stack9::stack_record user{}, above{};
		user.thread = above.thread = {tid, t.pid, t.start};
		user.side = STACK9_USER;
		user.route = above.route = name;
		above.side = STACK9_KERNEL;
		above.pcs = pcs;
		above.max = 64;
		user_copy copy;
		sides s{kernel && now.both ? &above : nullptr, user, copy};
		user.error = look(tid, t, s, nullptr, false);
		if (const int stop = to(arg, s); stop != 0)
			return stop;
	}
	return now.each_ends;
}

constinit user_route user_first("fake-user-first", 10, &machine::user_first);
constinit user_route user_second("fake-user-second", 20,
    &machine::user_second);
constinit user_running_route user_running("fake-user-running", 10,
    &machine::user_running);
constinit user_pass_route user_each("fake-user-each", 10,
    &machine::user_first);
constinit user_pass_route user_all("fake-user-all", 20, &machine::user_second);

} // namespace fake
