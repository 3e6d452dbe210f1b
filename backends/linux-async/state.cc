// Keeps one state per process.  A forked child has none of its parent's memory;
// its ids begin above all that the parent could use.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "state.h"

#include <atomic>
#include <cerrno>
#include <memory>
#include <new>

#include "bpf/program.h"

namespace stack9::bpf {
namespace {

// The state is never destroyed: captures may go on while the process exits.
struct state_holder {
	std::atomic<async_state *>	state{nullptr};
	std::atomic<unsigned int>	generation{0};	// fork_generation()
	// rights() + 1 with which a probe has succeeded; 0: none has.
	std::atomic<std::uint64_t>	works{0};
	// load_mutex() guards the rest.
	async_limits			limits;
	std::uint64_t			tables = 0;	// parents' too
	kept_refusal			refused;
};
constinit state_holder holder;

constexpr char lacking[] = "needs bpf_task_work_schedule_resume() (Linux "
    "6.18)";

// The first generations of two tables, of this process or of its parents, are
// so far apart: a slot is never used so often.  There can be 255 tables.
constexpr unsigned int table_shift = 36;
constexpr std::uint64_t most_tables =
    std::uint64_t{1} << (64 - S9_SLOT_BITS - table_shift);

int
make(async_state *&made) noexcept
try {
	auto fresh = std::make_unique<async_state>();	// its tables allocate
	if (holder.tables + 1 >= most_tables)
		return ENOMEM;
	const int error = fresh->open(holder.limits,
	    (holder.tables + 1) << table_shift);
	if (error == 0) {
		holder.tables++;
		made = fresh.release();
	}
	return error;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

} // namespace

int
async_state::open(const async_limits &limits, std::uint64_t first_gen) noexcept
{
	try {
		kernels.resize(limits.captures + 1);
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
	int error = table.open(limits, first_gen);
	if (error == 0)
		error = ready.open(table.ring());
	if (error != 0)
		return error;
	s9_submit only_learn{};		// the pid namespace
	return run_program(table.submit_program(), &only_learn,
	    sizeof only_learn);
}

async_state *
current_state() noexcept
{
	// The generation is loaded first, because it is stored last.
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
	if (holder.refused.stands()) {
		v = holder.refused.answer();
		return nullptr;
	}
	async_state *made = nullptr;
	if (const int error = make(made); error != 0) {
		v = holder.refused.keep(error, lacking);
		return nullptr;
	}
	holder.refused.forget();
	holder.state.store(made, std::memory_order_relaxed);
	holder.generation.store(fork_generation(), std::memory_order_release);
	return made;
}

// Somebody closed the descriptors; the captures under way are lost with them.
void
abandon_state(async_state &lost) noexcept
{
	const guard locked(load_mutex());
	if (current_state() == &lost)
		holder.generation.store(0);
}

// Opens a table for one capture: it needs hardly any memory.
verdict
probe() noexcept
{
	if (current_state() != nullptr || holder.works.load() == rights() + 1)
		return {0, nullptr};
	const guard locked(load_mutex());
	if (holder.refused.stands())
		return holder.refused.answer();
	async_table smallest;
	if (const int error = smallest.open({1, 0}, 0); error != 0)
		return holder.refused.keep(error, lacking);
	holder.works.store(rights() + 1);
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

int
async_counts(stack9_stat_fn *fn, void *arg) noexcept
{
	async_state *const st = current_state();
	s9_control none{};
	s9_control &c = st != nullptr ? st->table.control() : none;
	const auto now = [](__u64 &n) {
		return std::atomic_ref<__u64>(n).load();
	};
	const struct {
		const char	*name;
		std::uint64_t	 value;
		const char	*meaning;
	} all[] = {
		{"async-captured", now(c.captured),
		    "user stacks that threads took of themselves"},
		{"async-inside-ns", now(c.inside_ns),
		    "nanoseconds that it took them"},
		{"async-walked", now(c.walked),
		    "user stacks that events walked by learned rules"},
		{"async-dropped", now(c.dropped),
		    "events for which there was no room"},
	};
	int stop = 0;
	for (const auto &n : all)
		if (stop == 0)
			stop = fn(arg, n.name, n.value, n.meaning);
	return stop;
}

} // namespace stack9::bpf
