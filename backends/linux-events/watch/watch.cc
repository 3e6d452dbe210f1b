// Begins and ends a watch: loads and attaches its programs, and stops them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watch.h"

#include <algorithm>
#include <cerrno>

#include <bpf/bpf.h>
#include "os/clocks.h"
#include <linux/bpf.h>
#include <time.h>

#include "backends/linux-events/probes/syscalls.h"

namespace stack9::events {
namespace {

bool
is_syscall(const probe &p) noexcept
{
	return p.kind == probe_kind::syscall;
}

} // namespace

watch::watch(const watch_request &r, std::vector<probe> &&probes)
    : filter_(r.filter), sink_(r.sink), probes_(std::move(probes))
{
}

// A child has none of the watch's memory, and must not end what is its
// parent's.
watch::~watch()
{
	if (is_mine())
		return;
	reader_.abandon();
	processes_.abandon();
	publisher_.abandon();
}

// Has the kernel tell its programs this process's pid namespace.
static int
learn_namespace(programs &from)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	return -bpf_prog_test_run_opts(from.program(program_id::who_asks),
	    &opts);
}

int
watch::try_load(manner m, std::string &why)
{
	program_set wanted = programs_of(probes_, m);
	if (!set_.config.init_ns)
		wanted.set(index_of(program_id::who_asks));
	if (set_.wakers)
		wanted.set(index_of(program_id::at_waking));
	int error = programs_.load(set_, wanted, probes_[0].name, why);
	if (error == 0 && !set_.config.init_ns)
		error = learn_namespace(programs_);
	if (error == 0)
		error = reader_.open(programs_, *this);
	if (error == 0 && programs_.walks())
		error = publisher_.open({programs_.map(map_id::rules),
		    programs_.map(map_id::more_rules),
		    programs_.map(map_id::pages), programs_.map(map_id::rows),
		    programs_.map(map_id::mapped)}, set_.rules);
	if (error == 0)
		error = attached_.attach(programs_, set_, probes_, m, why);
	if (error == 0 && set_.wakers)
		error = attached_.attach_waking(programs_);
	return error;
}

// Whether a system call's own tracepoint is used, rather than the tracepoint of
// all system calls.  Its advantages: the stack begins where the event is, not
// in the program, and other system calls pay less.  That is worth nothing if
// there is no kernel side.  To detach from it takes 50 ms and more, for the
// kernel waits for all CPUs, which a few events are not worth.  Tracepoints in
// general stay raw tracepoints: in the other way the kernel hides those that
// happen while it handles another event of perf's, and counts only some of
// them.
bool
watch::wants_call_event() const noexcept
{
	// For the way in which old kernels walk there; see s9_walk_kernel().
	constexpr std::uint32_t enough_for_walk = 32;
	return (set_.config.sides & STACK9_KERNEL) && set_.config.limit == 0 &&
	    set_.config.frames >= enough_for_walk;
}

// Sets up the way of a probe that the watch has alone.  False: there is none,
// or it is not worth it.
bool
watch::prepare_alone()
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
watch::prepare_undisturbed()
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
watch::load(std::string &why)
{
	if (prepare_undisturbed()) {
		if (try_load(manner::undisturbed, why) == 0)
			return 0;
		set_.config.all_calls = 0;
		why.clear();
	}
	if (prepare_alone()) {
		if (try_load(manner::alone, why) == 0)
			return 0;
		set_.config.syscall_tracepoint = 0;
		why.clear();
	}
	return try_load(manner::usual, why);
}

int
watch::begin(std::string &why)
{
	if (const int error = make_settings(filter_, sink_, probes_, set_, why);
	    error != 0)
		return error;
	set_.config.cookies = probes_.size() > 1 &&
	    !std::all_of(probes_.begin(), probes_.end(), is_syscall);
	const std::uint32_t unwound = sink_.frames != 0 ? sink_.frames :
	    S9_MOST_FRAMES;
	sides_.emplace(stack_form{set_.config.frames, unwound, std::all_of(
	    probes_.begin(), probes_.end(), [](const probe &p) {
		return program_row_of(p).exact; })});
	line_.emplace(unwound);
	if (set_.wakers) {
		waker_sides_.emplace(stack_form{set_.config.frames, unwound,
		    false});
		wakers_.begin(sink_.what == STACK9_WATCH_STREAM);
	}
	if (set_.config.sides & STACK9_USER)
		processes_.begin(filter_);
	const int error = load(why);
	if (error == 0)
		totals_.begin(programs_);
	return error;
}

bool
watch::knows_probes() const noexcept
{
	return probes_.size() == 1 || programs_.has_cookies() ||
	    std::all_of(probes_.begin(), probes_.end(), is_syscall);
}

int
watch::read(int timeout_ms)
{
	// Waits in slices; the log of mappings is read between them.
	constexpr int slice_ms = 100;
	if (!is_mine())
		return EINVAL;
	int left = stopped_ ? 0 : timeout_ms;
	for (;;) {
		const int now = left < 0 || left > slice_ms ? slice_ms : left;
		const int error = read_ring(now);
		if (!reader_.reading())
			processes_.keep_up();
		if (left > 0)
			left -= now;
		if (error != EAGAIN || left == 0 || reader_.interrupted())
			return error;
	}
}

int
watch::each_event(stack9_event_fn *fn, void *arg) const
{
	for (const probe &p : probes_)
		if (const int error = fn(arg, p.label.c_str()); error != 0)
			return error;
	return 0;
}

// Programs that are at an event will soon be done.  The bound is for a count
// that is wrong for once: a watch that ends is better than a watch that hangs.
void
watch::wait_for_programs()
{
	constexpr int most_ms = 1000;
	for (int ms = 0; ms < most_ms && !totals_.rest(); ms++) {
		const timespec t{0, 1'000'000};
		nanosleep(&t, nullptr);
	}
}

// Threads that are still blocked count as blocked until now.
int
watch::stop()
{
	if (stopped_)
		return 0;
	if (!is_mine())
		return EINVAL;
	if (reader_.reading())
		return EBUSY;
	reader_.end();
	wait_for_programs();
	// Stacks that are not read yet begin in a trampoline, whose name is
	// lost if the program is detached.
	if (programs_.program(program_id::at_fentry) < 0)
		attached_.detach();
	skipped_ = programs_.skipped();
	stopped_ = true;
	return set_.off_cpu ? end_blocked() : 0;
}

int
watch::end_one(const s9_blocked &b, std::uint64_t now)
{
	const std::uint64_t took = now - b.since_ns;
	const s9_config &c = set_.config;
	if (b.since_ns == 0 || b.since_ns > now || took < c.min_ns ||
	    (c.max_ns != 0 && took > c.max_ns) || c.limit != 0)
		return 0;
	s9_event_head head = b.e.head;
	head.weight_ns = took;
	head.when_ns = now;
	if (head.what == S9_RESUMED) {
		ended_++;
		return count_resumed(head);
	}
	ended_++;
	identify(b.e.stacks, b.e.pcs, identity_);
	processes_.find_or_add(b.e.stacks.space, head);
	return count_or_deliver(head, identity_.bytes());
}

int
watch::end_blocked()
{
	const int map = programs_.map(map_id::blocked);
	const std::uint64_t now = boot_ns();
	// Earlier records come first.
	while (read_ring(0) == 0)
		continue;
	std::vector<std::uint64_t> value(
	    programs_.value_size(map_id::blocked) / 8 + 1);
	std::int32_t tid = 0, next = 0;
	for (bool first = true; bpf_map_get_next_key(map, first ? nullptr :
	    &tid, &next) == 0; first = false) {
		tid = next;
		if (bpf_map_lookup_elem(map, &tid, value.data()) != 0)
			continue;
		if (const int error = end_one(*reinterpret_cast<s9_blocked *>(
		    value.data()), now); error != 0)
			return error;
	}
	return 0;
}

} // namespace stack9::events
