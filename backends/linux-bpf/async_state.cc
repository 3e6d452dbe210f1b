// One a process.  A child of a fork has its parent's memory mapped, and leaves
// it alone; ids of its own begin above all that the parent could give out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async_state.h"

#include <new>

#include "program.h"
#include "refusal.h"

namespace stack9::bpf {
namespace {

// Never destroyed: captures may go on while the program exits.
struct state_holder {
	std::atomic<async_state *>	state{nullptr};
	std::atomic<unsigned int>	generation{0};	// fork_generation()
	std::atomic<bool>		works{false};	// has been probed
	// The rest belongs to load_mutex().
	async_limits			limits;
	verdict				refused{0, nullptr};
	std::uint64_t			refused_rights = 0;
};
constinit state_holder holder;

constexpr char lacking[] = "needs bpf_task_work_schedule_resume() (Linux "
    "6.18)";

bool
remembered() noexcept
{
	return holder.refused.error == EOPNOTSUPP ||
	    (holder.refused.error == EPERM &&
	    holder.refused_rights == rights());
}

// Generations of a process's tables are 2^36 apart, more than a slot is ever
// given out.
std::uint64_t
first_generation() noexcept
{
	return std::uint64_t{fork_generation()} << 36;
}

int
make(async_state *&made) noexcept
{
	std::unique_ptr<async_state> fresh(new (std::nothrow) async_state);
	if (fresh == nullptr)
		return ENOMEM;
	const int error = fresh->open(holder.limits, first_generation());
	if (error == 0)
		made = fresh.release();
	return error;
}

} // namespace

int
async_state::open(const async_limits &limits, std::uint64_t first_gen) noexcept
{
	try {
		kept.resize(limits.captures + 1);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	int error = table.open(limits, first_gen);
	if (error == 0)
		error = ready.open();
	if (error != 0)
		return error;
	s9_submit only_learn{};		// the pid namespace
	return run_program(table.submit_program(), &only_learn,
	    sizeof only_learn);
}

async_state *
current_state() noexcept
{
	// The generation first: it is stored last.
	return holder.generation.load(std::memory_order_acquire) ==
	    fork_generation() ?
	    holder.state.load(std::memory_order_relaxed) : nullptr;
}

async_state *
opened_state(verdict &v) noexcept
{
	v = {0, nullptr};
	if (async_state *const s = current_state())
		return s;
	const guard locked(load_mutex());
	if (async_state *const s = current_state())
		return s;
	if (remembered()) {
		v = holder.refused;
		return nullptr;
	}
	async_state *made = nullptr;
	if (const int error = make(made); error != 0) {
		holder.refused_rights = rights();
		v = holder.refused = explain(error, lacking);
		return nullptr;
	}
	holder.refused = {0, nullptr};
	holder.state.store(made, std::memory_order_relaxed);
	holder.generation.store(fork_generation(), std::memory_order_release);
	return made;
}

// Somebody closed what it has; what was under way is lost with it.
void
abandon_state(async_state &lost) noexcept
{
	const guard locked(load_mutex());
	if (current_state() == &lost)
		holder.generation.store(0);
}

// With room for one, which takes no memory to speak of.
verdict
probe() noexcept
{
	if (current_state() != nullptr || holder.works.load())
		return {0, nullptr};
	const guard locked(load_mutex());
	if (remembered())
		return holder.refused;
	async_table smallest;
	if (const int error = smallest.open({1, 0}, 0); error != 0) {
		holder.refused_rights = rights();
		return holder.refused = explain(error, lacking);
	}
	holder.works.store(true);
	return {0, nullptr};
}

int
set_limits(const async_limits &limits) noexcept
{
	const guard locked(load_mutex());
	if (current_state() != nullptr)
		return EBUSY;
	holder.limits = limits;
	return 0;
}

} // namespace stack9::bpf
