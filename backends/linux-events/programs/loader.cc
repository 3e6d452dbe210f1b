// Chooses the way in which the programs of a watch are attached, and loads them
// for it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "loader.h"

#include <algorithm>
#include <cerrno>

#include <bpf/bpf.h>

#include "backends/linux-events/probes/syscalls.h"
#include "lent_programs.h"

namespace stack9::events {
namespace {

bool
is_syscall(const probe &p) noexcept
{
	return p.kind == probe_kind::syscall;
}

// Has the kernel give its programs this process's pid namespace.
int
learn_namespace(programs &from)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	return -bpf_prog_test_run_opts(from.program(program_id::who_asks),
	    &opts);
}

} // namespace

int
loader::try_load(manner m, opener &ends, std::string &why)
{
	program_set wanted = programs_of(probes_, m);
	if (!set_.config.init_ns)
		wanted.set(index_of(program_id::who_asks));
	if (set_.wakers)
		wanted.set(index_of(program_id::at_waking));
	if (set_.lends)
		for (const lent_program &l : lent_programs)
			wanted.set(index_of(l.program));
	if (set_.printk)
		wanted.set(index_of(program_id::lent_printk));
	int error = programs_.load(set_, wanted, probes_[0].name, why);
	if (error == 0 && !set_.config.init_ns)
		error = learn_namespace(programs_);
	if (error == 0)
		error = ends.open(programs_, set_);
	if (error == 0)
		error = attached_.attach(programs_, set_, probes_, m, why);
	if (error == 0 && set_.wakers)
		error = attached_.attach_waking(programs_);
	return error;
}

// True if a system call's own tracepoint is used, rather than the tracepoint of
// all system calls.  Its advantages: the stack begins where the event is, not
// in the program, and other system calls pay less.  That is worth nothing if
// there is no kernel side.  To detach from it takes 50 ms and more, because the
// kernel waits for all CPUs.  A few events are not worth that.  Tracepoints in
// general stay raw tracepoints: in the other way the kernel hides those that
// happen while it handles another event of perf's, and counts only some of
// them.
bool
loader::wants_call_event() const noexcept
{
	// For the way in which old kernels walk there; see s9_walk_kernel().
	constexpr std::uint32_t enough_for_walk = 32;
	return (set_.config.sides & STACK9_KERNEL) && set_.config.limit == 0 &&
	    set_.config.frames >= enough_for_walk;
}

// Sets up the way of a probe that the watch has alone.  False: there is none,
// or it is not worth it.
bool
loader::prepare_alone()
{
	if (probes_.size() != 1)
		return false;
	probe &p = probes_[0];
	switch (program_row_of(p).alone) {
	case way::call_event:
		p.config = wants_call_event() ? syscall_tracepoint(p) : 0;
		set_.config.syscall_tracepoint = p.config != 0;
		return p.config != 0;
	case way::fentry:
		return p.offset == 0;
	default:
		return false;
	}
}

// Sets up the way of system calls on a kernel that preempts the programs of the
// other ways.  Until a preempted program goes on, the kernel hides the event of
// other threads on that CPU from it.  Perf's events run their programs with
// preemption off.  False: there is no system call, or the other ways lose
// nothing.
bool
loader::prepare_undisturbed()
{
	if (std::none_of(probes_.begin(), probes_.end(), is_syscall) ||
	    !preempts_calls())
		return false;
	const std::uint64_t enter = tracepoint_of_calls(false);
	const std::uint64_t exit = tracepoint_of_calls(true);
	if (enter == 0 || exit == 0)
		return false;
	for (probe &p : probes_)
		if (is_syscall(p))
			p.config = p.returns ? exit : enter;
	set_.config.all_calls = 1;
	return true;
}

int
loader::load(opener &ends, std::string &why)
{
	if (prepare_undisturbed()) {
		if (try_load(manner::undisturbed, ends, why) == 0)
			return 0;
		set_.config.all_calls = 0;
		why.clear();
	}
	if (prepare_alone()) {
		if (try_load(manner::alone, ends, why) == 0)
			return 0;
		set_.config.syscall_tracepoint = 0;
		why.clear();
	}
	return try_load(manner::usual, ends, why);
}

int
loader::configure(const watch_filter &filter, const watch_sink &sink,
    std::string &why)
{
	const int error = make_settings(filter, sink, probes_, set_, why);
	set_.config.cookies = probes_.size() > 1 &&
	    !std::all_of(probes_.begin(), probes_.end(), is_syscall);
	return error;
}

int
loader::border(std::string_view name, int &fd) const noexcept
{
	if (!set_.lends)
		return EOPNOTSUPP;
	for (const map_id id : maps_of_the_border)
		if (name == map_names[index_of(id)]) {
			fd = programs_.map(id);
			return 0;
		}
	return ENOENT;
}

bool
loader::are_exact() const noexcept
{
	return std::all_of(probes_.begin(), probes_.end(), [](const probe &p) {
		return program_row_of(p).exact;
	});
}

bool
loader::knows_probes() const noexcept
{
	return probes_.size() == 1 || programs_.has_cookies() ||
	    std::all_of(probes_.begin(), probes_.end(), is_syscall);
}

void
loader::detach() noexcept
{
	if (programs_.program(program_id::at_fentry) < 0)
		attached_.detach();
}

} // namespace stack9::events
