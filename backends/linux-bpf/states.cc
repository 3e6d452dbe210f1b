// Reads the states of all threads of a process by the program "threads", and
// those of the machine by a pass of the program "state".  Route "wait-iter"
// does it beside its waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstring>

#include <sched.h>
#include <unistd.h>

#include "bpf/since.h"
#include "bpf/validate.h"
#include "images.h"
#include "record_pass.h"
#include "routes.h"
#include "shown_threads.h"
#include "threads.h"

namespace stack9::bpf {
namespace {

constinit object object_of_state(s9_image_state,
    "needs BPF task iterators (Linux 5.8)", true);

// A kernel may load the program and run it, and yet show nothing.
int
ask_state_of_caller(shows &what) noexcept
{
	int shown = 0;
	bool me = false;
	const int error = read_records<s9_state>(object_of_state, gettid(), 0,
	    [&](const s9_state &s) {
		shown++;
		me |= s.tid == gettid() && s.pid == getpid();
		return 0;
	});
	what = !me ? shows::nothing : shown == 1 ? shows::wanted_threads :
	    shows::any_thread;
	return error;
}

verdict
trust_states(shows &what) noexcept
{
	static std::atomic<shows> known{shows::unknown};
	if (const verdict v = object_of_state.load(); v.error != 0)
		return v;
	what = known.load(std::memory_order_relaxed);
	if (what == shows::unknown) {
		if (const int error = ask_state_of_caller(what); error != 0)
			return explain(error, "a pass of its task iterator "
			    "fails");
		known.store(what);
	}
	return what == shows::nothing ? verdict{EOPNOTSUPP, shows_no_caller} :
	    verdict{0, nullptr};
}

class reporting {
public:
	reporting(state_sink to, void *arg) noexcept : to_(to), arg_(arg) {}

	int
	report(const s9_state &seen) noexcept
	{
		stack9_state s{};
		char comm[sizeof seen.comm + 1] = {};
		const char letter = state_letter(seen.state, seen.exit_state);
		clock_.add(seen.reader_clock, seen.when_ns);
		clock_.add(seen.times.clock, seen.when_ns);
		const time_span since = time_in_state(seen.times,
		    seen.on_cpu != 0, letter != 'R',
		    clock_.at(seen.when_ns));
		std::memcpy(comm, seen.comm, sizeof seen.comm);
		s.thread = {seen.tid, seen.pid,
		    start_ticks(seen.tid, seen.start_ns)};
		s.comm = comm;
		s.state = letter;
		s.cpu = seen.cpu;
		s.flags = seen.on_cpu != 0 ? STACK9_STATE_ON_CPU : 0;
		s.switches = seen.switches;
		s.when_ns = seen.when_ns;
		s.since_ns = since.least;
		s.since_most_ns = since.most;
		return to_(arg_, s);
	}

private:
	const state_sink	to_;
	void *const		arg_;
	scheduler_clock		clock_;
};

int
report_all(const process_threads &threads, reporting &reporter) noexcept
{
	for (const s9_state &s : threads.all())
		if (const int stop = reporter.report(s); stop != 0)
			return stop;
	return 0;
}

} // namespace

int
wait_iter_route::states(pid_t pid, state_sink to, void *arg) noexcept
{
	reporting reporter(to, arg);
	process_threads threads;
	sched_yield();		// brings the clock of this CPU up to date
	if (const int error = pid == 0 ? EOPNOTSUPP : threads.read(pid);
	    error == 0 || error == ESRCH)
		return error == 0 ? report_all(threads, reporter) :
		    explain_process_pass(pid, false);
	shows what;
	if (const verdict v = trust_states(what); v.error != 0)
		return v.error;
	const pid_t self = gettid();
	bool me = false;
	shown_threads shown;
	const auto report = [&](const s9_state &s) {
		if (pid != 0 && (s.pid != pid ||
		    !shown.add(s.tid, s.is_newest != 0)))
			return 0;
		me |= s.tid == self;
		return reporter.report(s);
	};
	const pid_t restricted = what == shows::wanted_threads ? pid : 0;
	int error = read_records<s9_state>(object_of_state, 0, restricted,
	    report);
	if (error == 0 && restricted != 0 && shown.may_lack_some())
		error = shown.begin_next() ? read_records<s9_state>(
		    object_of_state, 0, 0, report) : ENOMEM;
	return error != 0 ? error : pid != 0 ?
	    explain_process_pass(pid, shown.are_any()) :
	    explain_machine_pass(me);
}

} // namespace stack9::bpf
