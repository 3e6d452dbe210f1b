// Makes the scripted machine's routes.  They answer from its script.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "fake_user.h"

#include <algorithm>

namespace fake {

machine now;

namespace {

using stack9::lead;
using stack9::verdict;

int
deliver(const std::vector<std::uintptr_t> &pcs, stack9::stack_record &rec)
{
	rec.depth = static_cast<std::uint32_t>(
	    std::min<std::size_t>(pcs.size(), rec.max));
	rec.dropped = static_cast<std::uint32_t>(pcs.size()) - rec.depth;
	std::copy_n(pcs.begin(), rec.depth, rec.pcs);
	return 0;
}

int
refuse(stack9::stack_record &rec, int error, stack9_why why)
{
	rec.why = why;
	return error;
}

// Does what a route does that fails half way through.
int
spoil(const thread &t, stack9::stack_record &rec, int error, stack9_why why)
{
	for (int i = 0; i < t.dirty; i++)
		rec.pcs[i] = 0xdead;
	rec.depth = static_cast<std::uint32_t>(t.dirty);
	return refuse(rec, error, why);
}

int
look(const stack9_thread &td, stack9::stack_record &rec, lead &l, bool on_cpu)
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

// Answers from a script.  verdict_ is a member of the machine, or NULL: it can.
template <class Interface>
class scripted : public Interface {
public:
	constexpr scripted(const char *n, int r, verdict machine::*v)
	    : Interface(n, "answers from a script", r), verdict_(v) {}

	verdict
	can() noexcept override
	{
		return verdict_ != nullptr ? now.*verdict_ :
		    verdict{0, nullptr};
	}

protected:
	~scripted() = default;

	void note_asked() const { now.asked.emplace_back(this->name); }

private:
	verdict	machine::*verdict_;
};

class self_route final : public scripted<stack9::own_route> {
public:
	using scripted::scripted;

	int
	save(stack9::stack_record &rec,
	    const stack9::origin &first) noexcept override
	{
		note_asked();
		now.first_pc = first.pc;
		return deliver(now.own, rec);
	}

	stack9::quick_stack
	save_pcs(std::uintptr_t, std::uintptr_t, std::uintptr_t,
	    std::uintptr_t *, std::uint32_t) noexcept override
	{
		return {0, false};
	}
};

class sibling_route final : public scripted<stack9::sibling_route> {
public:
	using scripted::scripted;

	int
	save(const stack9_thread &td,
	    stack9::stack_record &rec) noexcept override
	{
		note_asked();
		lead unused;
		return look(td, rec, unused, false);
	}
};

class kernel_route final : public scripted<stack9::kernel_route> {
public:
	using scripted::scripted;

	int
	save(const stack9_thread &td, stack9::stack_record &rec, lead &l)
	    noexcept override
	{
		note_asked();
		const int error = look(td, rec, l, false);
		if (error == 0)
			identify(td.tid, rec);
		return error;
	}

private:
	// Says who it was.  The next owner of the tid has a user side, too.
	static void
	identify(pid_t tid, stack9::stack_record &rec)
	{
		thread &t = now.threads.at(tid);
		rec.thread.start = t.start;
		if (t.next != 0)
			now.users.at(tid).start = t.start = t.next;
	}
};

class running_route final : public scripted<stack9::running_route> {
public:
	using scripted::scripted;

	int
	save(const stack9_thread &td, stack9::stack_record &rec, const lead &l)
	    noexcept override
	{
		note_asked();
		lead own = l;
		return look(td, rec, own, true);
	}
};

class pass_route final : public scripted<stack9::pass_route> {
public:
	using scripted::scripted;

	int
	each(pid_t, stack9::sink to, void *arg) noexcept override
	{
		note_asked();
		for (const auto &[tid, t] : now.threads) {
			std::uintptr_t pcs[1] = {t.pcs.at(0)};
			stack9::stack_record rec{};
			rec.thread = {tid, 0, t.start};
			rec.depth = rec.max = 1;
			rec.pcs = pcs;
			if (const int stop = to(arg, rec); stop != 0)
				return stop;
		}
		return now.each_ends;
	}
};

// Constant: the table of routes is made before constructors run.
constinit self_route self("fake-self", 10, nullptr);
constinit sibling_route sibling("fake-sibling", 10, nullptr);
constinit kernel_route second("fake-second", 20, &machine::second);
constinit kernel_route first("fake-first", 10, &machine::first);
constinit running_route running("fake-running", 10, &machine::running);
constinit pass_route each("fake-each", 10, &machine::first);
constinit pass_route all("fake-all", 20, &machine::second);

constinit stack9::own_route *const selves[] = {&self};
constinit stack9::sibling_route *const siblings[] = {&sibling};
constinit stack9::kernel_route *const kernels[] = {&second, &first};
constinit stack9::running_route *const runnings[] = {&running};
constinit stack9::pass_route *const passes[] = {&each, &all};
constinit stack9::user_route *const users[] = {&user_second, &user_first};
constinit stack9::user_running_route *const user_runnings[] = {&user_running};
constinit stack9::user_pass_route *const user_passes[] = {&user_each,
    &user_all};
constinit const stack9::backend fake_backend{
	.name = "fake",
	.self = selves,
	.sibling = siblings,
	.kernel = kernels,
	.running = runnings,
	.each = passes,
	.user = users,
	.user_running = user_runnings,
	.user_each = user_passes,
};
constinit const stack9::backend *const table[] = {&fake_backend};

} // namespace
} // namespace fake

namespace stack9 {
constinit const std::span<const backend *const> backends{fake::table};
} // namespace stack9
