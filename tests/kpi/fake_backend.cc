// The scripted machine's routes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_user.h"

#include <algorithm>

namespace fake {

machine now;

namespace {

using stack9::job;
using stack9::lead;
using stack9::route;
using stack9::verdict;

int
deliver(const std::vector<std::uintptr_t> &pcs, stack9_record &rec)
{
	rec.depth = static_cast<std::uint32_t>(
	    std::min<std::size_t>(pcs.size(), rec.max));
	rec.dropped = static_cast<std::uint32_t>(pcs.size()) - rec.depth;
	std::copy_n(pcs.begin(), rec.depth, rec.pcs);
	return 0;
}

int
refuse(stack9_record &rec, int error, stack9_why why)
{
	rec.why = why;
	return error;
}

// What a route does that fails half way through.
int
spoil(const thread &t, stack9_record &rec, int error, stack9_why why)
{
	for (int i = 0; i < t.dirty; i++)
		rec.pcs[i] = 0xdead;
	rec.depth = static_cast<std::uint32_t>(t.dirty);
	return refuse(rec, error, why);
}

int
look(const stack9_thread &td, stack9_record &rec, lead &l, bool on_cpu)
{
	const auto at = now.threads.find(td.tid);
	if (at == now.threads.end())
		return refuse(rec, ESRCH, STACK9_WHY_GONE);
	thread &t = at->second;
	if (td.start != 0 && td.start != t.start)
		return refuse(rec, ESRCH, STACK9_WHY_REUSED);
	if (t.tries > 0 && --t.tries == 0)
		t.doing = mode::sleeping;
	switch (t.doing) {
	case mode::sleeping:
		return deliver(t.pcs, rec);
	case mode::zombie:
		return refuse(rec, ESRCH, STACK9_WHY_ZOMBIE);
	case mode::torn:
		return spoil(t, rec, EAGAIN, STACK9_WHY_TORN);
	default:
		break;
	}
	if (!on_cpu) {
		l.cpu = 1;
		return spoil(t, rec, EAGAIN, STACK9_WHY_ON_CPU);
	}
	if (l.cpu != 1)
		return EINVAL;		// no lead: a fault of the caller
	if (t.doing == mode::in_user)
		return spoil(t, rec, EAGAIN, STACK9_WHY_USER_MODE);
	if (t.doing == mode::moving)
		return spoil(t, rec, EAGAIN, STACK9_WHY_MOVED);
	return deliver(t.pcs, rec);
}

class scripted final : public route {
public:
	constexpr scripted(const char *n, job w, int r, verdict machine::*v)
	    : route(n, "answers from a script", w, r), verdict_(v) {}

	verdict
	can() noexcept override
	{
		return verdict_ != nullptr ? now.*verdict_ :
		    verdict{0, nullptr};
	}

	int
	save(const stack9_thread &td, stack9_record &rec, lead &l)
	    noexcept override
	{
		now.asked.emplace_back(name);
		if (what == job::self) {
			now.first_pc = l.first.pc;
			return deliver(now.own, rec);
		}
		return look(td, rec, l, what == job::running);
	}

	int
	each(pid_t, stack9::sink to, void *arg) noexcept override
	{
		now.asked.emplace_back(name);
		for (const auto &[tid, t] : now.threads) {
			std::uintptr_t pcs[1] = {t.pcs.at(0)};
			stack9_record rec{};
			rec.thread = {tid, 0, t.start};
			rec.depth = rec.max = 1;
			rec.pcs = pcs;
			if (const int stop = to(arg, rec); stop != 0)
				return stop;
		}
		return now.each_ends;
	}

private:
	verdict	machine::*verdict_;
};

// Constant: the table of routes is made before constructors run.
constinit scripted self("fake-self", job::self, 10, nullptr);
constinit scripted sibling("fake-sibling", job::sibling, 10, nullptr);
constinit scripted second("fake-second", job::kernel, 20, &machine::second);
constinit scripted first("fake-first", job::kernel, 10, &machine::first);
constinit scripted running("fake-running", job::running, 10, &machine::running);
constinit scripted each("fake-each", job::each, 10, &machine::first);
constinit scripted all("fake-all", job::each, 20, &machine::second);

constinit route *const routes[] = {&self, &sibling, &second, &first, &running,
    &each, &all, &user_second, &user_first, &user_running, &user_each,
    &user_all};
constinit const stack9::backend fake_backend{.name = "fake", .routes = routes};
constinit const stack9::backend *const table[] = {&fake_backend};

} // namespace
} // namespace fake

namespace stack9 {
constinit const std::span<const backend *const> backends{fake::table};
} // namespace stack9
