// From an event's name to programs that run, and to an end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watch.h"

#include <algorithm>
#include <cerrno>

#include <bpf/bpf.h>
#include "os/linux/clocks.h"
#include <linux/bpf.h>
#include <time.h>

#include "own_tracepoint.h"

namespace stack9::events {
namespace {

bool
has_context(const point &p) noexcept
{
	return p.kind == point_kind::kernel || p.kind == point_kind::user ||
	    p.kind == point_kind::usdt || p.kind == point_kind::software;
}

bool
is_syscall(const point &p) noexcept
{
	return p.kind == point_kind::syscall;
}

} // namespace

watch::watch(const watch_request &r, std::vector<point> &&points)
    : filter_(r.filter), sink_(r.sink), points_(std::move(points))
{
}

// A child has none of its memory, and must not end what is its parent's.
watch::~watch()
{
	if (is_mine())
		return;
	reader_.forsake();
	processes_.forsake();
}

// Asks the kernel for who asks, where that is not as the init namespace has it.
static int
learn_namespace(programs &from)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	return -bpf_prog_test_run_opts(
	    from.program("who_asks"), &opts);
}

int
watch::try_load(const std::vector<const char *> &names,
    const std::string &function, std::string &why)
{
	std::vector<const char *> all = names;
	if (!set_.config.init_ns)
		all.push_back("who_asks");
	int error = programs_.load(set_, all, function, why);
	// The object for old kernels does not have all of them.
	if (error == 0 && std::any_of(names.begin(), names.end(),
	    [this](const char *n) { return programs_.program(n) < 0; })) {
		why = "the kernel lacks what programs on events take";
		error = EOPNOTSUPP;
	}
	if (error == 0 && !set_.config.init_ns)
		error = learn_namespace(programs_);
	if (error == 0)
		error = reader_.open(programs_, *this);
	if (error == 0)
		error = attached_.attach(programs_, set_, points_, why);
	return error;
}

// A system call alone by its own tracepoint, else by the one of all: then its
// stack begins where the event is, not in the program, and others' calls pay
// less.  That is worth nothing where there is no kernel's side, and to take it
// back the kernel waits for all CPUs, 50 ms and more, which a few events are
// not worth.  Tracepoints in general stay raw ones: in the other way the kernel
// hides those that happen while it handles another event of perf's, and counts
// only some.
bool
watch::is_call_alone() const noexcept
{
	// Of the way in which old kernels walk there, see s9_walk_kernel().
	constexpr std::uint32_t enough_for_walk = 32;
	return points_.size() == 1 && is_syscall(points_[0]) &&
	    (set_.config.sides & STACK9_KERNEL) && set_.config.limit == 0 &&
	    !set_.config.stackid && set_.config.frames >= enough_for_walk;
}

int
watch::load(std::string &why)
{
	if (is_call_alone() &&
	    (points_[0].config = own_tracepoint(points_[0])) != 0) {
		set_.config.own_tracepoint = 1;
		if (try_load({"at_call"}, "", why) == 0)
			return 0;
		set_.config.own_tracepoint = 0;
		points_[0].config = 0;
		why.clear();
	}
	return load_usual(why);
}

// A function of the kernel by a program that is entered from it directly, else
// by a probe.
int
watch::load_usual(std::string &why)
{
	std::string function;
	std::vector<const char *> names = programs_for(points_, function);
	if (!function.empty()) {
		if (try_load({"at_fentry"}, function, why) == 0)
			return 0;
		why.clear();
	}
	return try_load(names, "", why);
}

int
watch::begin(std::string &why)
{
	if (const int error = make_settings(filter_, sink_, points_, set_, why);
	    error != 0)
		return error;
	set_.config.cookies = points_.size() > 1 &&
	    !std::all_of(points_.begin(), points_.end(), is_syscall);
	sides_.emplace(walked{set_.config.frames, sink_.frames != 0 ?
	    sink_.frames : S9_MOST_FRAMES, std::all_of(points_.begin(),
	    points_.end(), has_context)});
	if (set_.config.sides & STACK9_USER)
		processes_.begin();
	return load(why);
}

bool
watch::knows_points() const noexcept
{
	return points_.size() == 1 || programs_.has_cookies() ||
	    std::all_of(points_.begin(), points_.end(), is_syscall);
}

int
watch::read(int timeout_ms)
{
	// In slices, between which what is mapped is read.
	constexpr int slice_ms = 100;
	if (!is_mine())
		return EINVAL;
	int left = stopped_ ? 0 : timeout_ms;
	for (;;) {
		const int now = left < 0 || left > slice_ms ? slice_ms : left;
		const int error = reader_.read(now);
		if (!reader_.reading())
			processes_.keep_up();
		if (left > 0)
			left -= now;
		if (error != EAGAIN || left == 0)
			return error;
	}
}

int
watch::each_event(stack9_event_fn *fn, void *arg) const
{
	for (const point &p : points_)
		if (const int error = fn(arg, p.label.c_str()); error != 0)
			return error;
	return 0;
}

// Programs that are at an event will soon be done.  The bound is for a count
// that is wrong for once: better a watch that ends than one that hangs.
void
watch::wait_for_programs() const
{
	constexpr int most_ms = 1000;
	ending end;
	for (int ms = 0; ms < most_ms && !end.reached(programs_); ms++) {
		const timespec t{0, 1'000'000};
		nanosleep(&t, nullptr);
	}
}

// Who is still blocked has been so until now.
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
	// Stacks that are not read yet begin in a trampoline, whose name goes
	// with it.
	if (programs_.program("at_fentry") < 0)
		attached_.let_go();
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
		return take_resumed(head);
	}
	if (c.stackid)
		return 0;
	ended_++;
	identity_.set(b.e.stacks, b.e.pcs);
	processes_.meet(b.e.stacks.space, head);
	return put(head, identity_.bytes());
}

int
watch::end_blocked()
{
	const int map = programs_.map("blocked");
	const std::uint64_t now = boot_ns();
	// What has come before belongs before it.
	while (reader_.read(0) == 0)
		continue;
	std::vector<std::uint64_t> value(programs_.value_size("blocked") / 8 +
	    1);
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
