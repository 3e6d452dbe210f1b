// Implements route "wait-iter": looks at threads that wait by a pass of the
// program "wait".
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>

#include <sched.h>
#include <unistd.h>

#include "arch/kernel_registers.h"
#include "bpf/since.h"
#include "bpf/validate.h"
#include "bpf/wait_record.h"
#include "images.h"
#include "record_pass.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object object_of_wait(s9_image_wait,
    "needs BPF task iterators and bpf_task_pt_regs() (Linux 5.15)", true);

stack9_thread
thread_of(const s9_other &o) noexcept
{
	return o.tid == 0 ? stack9_thread{} :
	    stack9_thread{o.tid, o.pid, start_ticks(o.tid, o.start_ns)};
}

void
fill_lock(const s9_wait_rest &seen, wait_facts &f) noexcept
{
	static constexpr kernel_lock kinds[] = {kernel_lock::mutex,
	    kernel_lock::semaphore, kernel_lock::read, kernel_lock::write,
	    kernel_lock::rt_mutex};
	if (seen.lock == 0 || seen.lock_kind >= std::size(kinds))
		return;
	f.lock = kinds[seen.lock_kind];
	f.lock_at = seen.lock;
	f.lock_readers = (f.lock == kernel_lock::read ||
	    f.lock == kernel_lock::write) && (seen.holder_word & 1) != 0;
	f.lock_holder = thread_of(seen.holder);
}

void
fill_times(const s9_wait_rest &seen, const scheduler_clock &clock,
    wait_facts &f) noexcept
{
	const time_span since = time_in_state(seen.times, false, true,
	    clock.at(seen.when_ns));
	f.idle_ns = since.least;
	if (since.most != 0 && since.most <= seen.when_ns)
		f.began_ns = seen.when_ns - since.most;
}

// The scheduler's clock may be a moment old, so it may have come earlier.
void
fill_arrival(const s9_wait_rest &seen, const scheduler_clock &clock,
    wait_facts &f) noexcept
{
	const time_span since = time_in_state(seen.times, true, false,
	    clock.at(seen.when_ns));
	if (seen.on_cpu_after != 0 && since.most != 0)
		f.arrived_ns = seen.when_ns - since.least;
}

void
fill(const s9_wait &record, const scheduler_clock &clock, wait_facts &f)
    noexcept
{
	const s9_wait_rest &seen = record.rest;
	const stack9_thread wanted = f.thread;
	const std::uint64_t start = start_ticks(seen.tid, seen.start_ns);
	if (wanted.start != 0 && wanted.start != start) {
		f.error = ESRCH;
		return;
	}
	f.error = 0;
	f.reason = nullptr;
	f.thread = {seen.tid, seen.pid, start};
	f.state = state_letter(seen.state, seen.exit_state);
	f.switches = seen.switches;
	f.tracer = thread_of(seen.tracer);
	f.running = seen.on_cpu != 0 || seen.on_cpu_after != 0 ||
	    seen.switches != seen.switches_after || seen.state == 0;
	if (f.running) {
		fill_arrival(seen, clock, f);
		return;
	}
	fill_times(seen, clock, f);
	fill_lock(seen, f);
	if (seen.has_regs == 0)
		return;
	const arch::program_kind kind = arch::read_call(record.regs, f.call,
	    f.args);
	f.is_32_bit = kind == arch::program_kind::ia32;
	f.knows_call = kind != arch::program_kind::unknown;
}

// Reads a pass over a thread, or over all of them, and picks who is wanted.
class wait_pass {
public:
	explicit wait_pass(std::span<wait_facts> wanted) noexcept
	    : wanted_(wanted) {}

	// Passes over a thread, a process, or the machine.
	int
	go(pid_t tid, pid_t pid) noexcept
	{
		return read_records<s9_wait>(object_of_wait, tid, pid,
		    [this](const s9_wait &record) {
			pick(record);
			return 0;
		});
	}

	// How many records there were, of threads that are wanted or not.
	std::size_t	shown() const noexcept { return shown_; }

private:
	void
	pick(const s9_wait &record) noexcept
	{
		const s9_wait_rest &seen = record.rest;
		shown_++;
		clock_.add(seen.reader_clock, seen.when_ns);
		clock_.add(seen.times.clock, seen.when_ns);
		auto at = std::lower_bound(wanted_.begin(), wanted_.end(),
		    seen.tid, [](const wait_facts &f, pid_t tid) {
			return f.thread.tid < tid;
		});
		for (; at != wanted_.end() && at->thread.tid == seen.tid; ++at)
			fill(record, clock_, *at);
	}

	const std::span<wait_facts>	wanted_;
	scheduler_clock			clock_;
	std::size_t			shown_ = 0;
};

// The processes of threads, if they are few; none if not.
struct processes {
	pid_t		pids[4];
	std::size_t	count = 0;

	processes() = default;
	explicit
	processes(std::span<const wait_facts> all) noexcept
	{
		for (const wait_facts &f : all) {
			const pid_t pid = f.thread.pid;
			if (std::find(pids, pids + count, pid) != pids + count)
				continue;
			if (pid <= 0 || count == std::size(pids)) {
				count = 0;
				return;
			}
			pids[count++] = pid;
		}
	}
};

// A kernel may load the program and run it, and yet show nothing.
int
ask_wait_of_caller(shows &what) noexcept
{
	wait_facts me{};
	me.thread.tid = gettid();
	me.error = ESRCH;
	wait_pass pass({&me, 1});
	const int error = pass.go(gettid(), 0);
	if (error == 0)
		what = me.error != 0 || me.thread.pid != getpid() ?
		    shows::nothing : pass.shown() == 1 ?
		    shows::wanted_threads : shows::any_thread;
	return error;
}

verdict
trust_waits(shows &what) noexcept
{
	static std::atomic<shows> known{shows::unknown};
	if (const verdict v = object_of_wait.load(); v.error != 0)
		return v;
	what = known.load(std::memory_order_relaxed);
	if (what == shows::unknown) {
		if (const int error = ask_wait_of_caller(what); error != 0)
			return explain(error, "a pass of its task iterator "
			    "fails");
		known.store(what);
	}
	return what == shows::nothing ? verdict{EOPNOTSUPP, shows_no_caller} :
	    verdict{0, nullptr};
}

bool
have_all(std::span<const wait_facts> wanted) noexcept
{
	return std::none_of(wanted.begin(), wanted.end(),
	    [](const wait_facts &f) { return f.error == ESRCH; });
}

} // namespace

verdict
wait_iter_route::can() noexcept
{
	shows unused;
	return trust_waits(unused);
}

int
wait_iter_route::look(std::span<wait_facts> wanted) noexcept
{
	constexpr std::size_t few = 8;
	shows what;
	if (const verdict v = trust_waits(what); v.error != 0)
		return v.error;
	for (wait_facts &f : wanted)
		f.error = ESRCH;
	sched_yield();		// brings the clock of this CPU up to date
	if (wanted.size() > few || what != shows::wanted_threads) {
		wait_pass pass(wanted);
		processes of(wanted);
		if (what != shows::wanted_threads || of.count == 0)
			of = {};
		int error = 0;
		for (std::size_t i = 0; i < of.count && error == 0; i++)
			error = pass.go(0, of.pids[i]);
		if (error != 0 || (of.count != 0 && have_all(wanted)))
			return error;
		// A pass over a process may end early (shown_threads.h).
		return pass.go(0, 0);
	}
	for (wait_facts &f : wanted) {
		wait_pass pass({&f, 1});
		if (const int error = pass.go(f.thread.tid, 0); error != 0)
			return error;
	}
	return 0;
}

} // namespace stack9::bpf
